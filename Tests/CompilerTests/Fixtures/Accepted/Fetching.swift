import Larder

private func show(_ body: () throws -> Any?) {}

func objectsWithWhatTheyLinkAreValuesLikeAnyOther(_ store: Store) throws {
    show { try store.fetch(Book.all, including: \.author) }
    show { try store.fetch(Book.all, including: \.author).count }
    show { try store.fetch(Author.all, including: \.teacher, \.books) }
    show { try store.fetch(Author.all, including: \.teacher, \.books).count }
    show { try store.fetch(Author.all, including: \.teacher, \.books).map { $0.0.name } }
    show { try store.fetch(Author.all, including: \.teacher, \.books, \.teacher) }
    show { try store.fetch(Author.all, including: \.teacher, \.books, \.teacher).first?.2 }
    show { try store.read { try $0.fetch(Author.all, including: \.teacher, \.books).isEmpty } }
    for (author, teacher, books) in try store.fetch(Author.all, including: \.teacher, \.books) {
        print(author.name, teacher?.name ?? "nobody", books.map(\.title))
    }
    let four = try store.fetch(Author.all, including: \.teacher, \.books, \.teacher, \.books)
    let five = try store.fetch(
        Author.all, including: \.teacher, \.books, \.teacher, \.books, \.teacher)
    print(four.map { ($0.1?.name, $0.4.count) }, five.map { $0.5?.name })
}

/// A screen of an object and its links.
private func observing(_ store: Store) -> StoreObservation {
    let screen = store.observe { try $0.fetch(Author.where { $0.id == 2 }, including: \.books) }
    return screen.start { rows in print(rows.first?.1.count ?? 0) }
}
