import LarderPromises

/// A source whose work can be seen to stop.
struct Work {
    let promise: Promise<Int>
    let resolver: Resolver<Int>
    let stops = Log<String>()

    init() {
        (promise, resolver) = Promise<Int>.pending()
        resolver.onCancel { [stops] in stops.add("stopped") }
    }
}
