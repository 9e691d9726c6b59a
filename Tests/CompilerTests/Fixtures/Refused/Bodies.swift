import Larder

func bodiesThatAreNone(_ any: Any, _ plain: Plain) -> [RequestBody] {
    // error: a body is 'Encodable' and 'Sendable'
    let one: RequestBody = .json(plain)
    // error: a body is 'Encodable' and 'Sendable'
    let two: RequestBody = .json(any)
    // error: so is each value in '["name": value]'
    let three: RequestBody = .json(["title": "x", "plain": plain])
    // error: for an object of unlike values inside another write a struct
    let four: RequestBody = .json(["title": "x", "inner": ["a": 1, "b": "x"]])
    // error: for an object of unlike values inside another write a struct
    let five: RequestBody = .json(["title": "x", "inner": [1, "b"]])
    return [one, two, three, four, five]
}

func objectsThatAreNoBodies(_ book: Book, _ store: Store) -> [RequestBody] {
    // error: an entity that is not 'Encodable' is sent as a store has it: 'json(of:in:)'
    let one: RequestBody = .json(book)
    return [one, .json(of: book, in: store)]
}
