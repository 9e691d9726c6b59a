import Foundation
import Larder

func queriesAreFetched(
    _ store: Store, _ books: [Book], _ authors: [Author], _ owner: Holder?
) throws {
    let all = try store.fetch(Book.all)
    let few = try store.fetch(Book.where { $0.pages > 3 && $0.title != "" }.limit(3))
    let sorted = try store.fetch(Book.all.sorted { $0.title.ascending }.offset(3))
    let query = Book.where { $0.isSold == true }
    let typed: [Book] = try store.fetch(query)
    let titles = try store.fetch(query).map(\.title)
    let named = try store.fetch(DynamicQuery("Book"))
    let linked = try store.fetch(books.map(\.author))
    let teachers: [Author?] = try store.fetch(authors.map(\.teacher))
    let shelves: [[Book]] = try store.fetch(authors.map(\.books))
    let some = try store.fetch(books.prefix(3).map(\.author)[1...])
    let others = try store.fetch(Set(books.compactMap(\.author)))
    let lazy = try store.fetch(books.lazy.map(\.author)).map { $0?.name }
    let pairs = try store.fetch(Book.all, including: \.author)
    let triples = try store.fetch(Author.all, including: \.teacher, \.books)
    let maybe = try owner?.store.fetch(Book.all).first?.title
    let none = (try? store.fetch(query)) ?? []
    for book in try store.fetch(Book.all) where book.pages > 3 { print(book.title) }
    print(try store.fetch(Author.where { $0.books.contains { $0.pages > 3 } }).count)
    print(all, few, sorted, typed, titles, named, linked, teachers, shelves, pairs, triples)
    print(maybe ?? "", none, some, others, lazy)
}

struct Holder {
    let store: Store
}

func objectsAreFound(_ store: Store, _ snapshot: Snapshot, _ owner: Holder?) throws {
    let book = try store.find(Book.self, id: "1")
    let typed: Book? = try store.find(id: "1")
    let title = try store.find(Book.self, id: "1")?.title ?? "none"
    let teacher = try store.find(Author.self, id: 3)?.teacher.find()
    let number = 7
    let author = try snapshot.find(Author.self, id: number)
    let named = try store.find("Book", id: "1")
    let maybe = try owner?.store.find(Author.self, id: number)
    let sure = (try? store.find(Author.self, id: 1))?.name
    guard let found = try store.find(Author.self, id: 3) else { return }
    if let other = try store.find(Author.self, id: found.id + 1) { print(other.name) }
    let many = try (1...3).compactMap { try store.find(Author.self, id: $0) }
    if let book { print(try store.find(Author.self, id: book.author?.id)?.name ?? "") }
    let seat = try store.find(Seat.self, id: .init(row: "back", number: 3))
    print(One<Seat>(id: .init(row: "back", number: 3)), seat as Any)
    let isFirst = book?.author?.id == 1
    print(isFirst)
    let names = try store.read { snapshot in
        guard let author = try snapshot.find(Author.self, id: number) else { return "" }
        return author.name
    }
    print(book as Any, typed as Any, title, teacher as Any, author as Any, named as Any)
    print(maybe as Any, sure ?? "", many, names)
}

func columnsAreSelected(_ store: Store, _ owner: Holder?) throws {
    let titles = try store.select(Book.all) { $0.title }
    let prices: [Double?] = try store.select(Book.where { $0.pages > 3 }) { $0.price }
    let pairs = try store.select(Book.all) { ($0.title, $0.pages) }
    let rows: [(String, Int, Double?)] = try store.select(Book.all) {
        ($0.title, $0.pages, $0.price)
    }
    let four = try store.select(Book.all) { ($0.title, $0.pages, $0.made.year, $0.author.name) }
    let keyPath = try store.select(Book.all, \.title)
    let named = try store.select(Book.all) { book in (book.title, book.author.name ?? "nobody") }
    let chosen = try store.select(Book.all) { book in
        let name = book.author.name
        return name
    }
    let worked = try store.select(Book.all) { $0.pages * 2 }
    let counts = try store.select(Author.all) { ($0.name, $0.books.count) }
    let groups = try store.select(Book.all, groupedBy: { $0.shape }) { $0.pages.sum }
    let both = try store.select(
        Book.all, groupedBy: { ($0.shape, $0.isSold) }, { ($0.pages.sum, $0.price.average) })
    for (title, pages) in try store.select(Book.all, { ($0.title, $0.pages) }) {
        print(title.count + pages)
    }
    print(try store.select(Book.all) { $0.title }.map(\.count).reduce(0, +))
    print(try owner?.store.select(Book.all) { $0.title }.first ?? "none")
    print(titles, prices, pairs[0].1 + 1, rows, four[0].3 ?? "", keyPath, named, chosen, worked)
    print(counts, groups.map { $0.1 }, both.map { ($0.0, $0.3) })
}

func listsOfListsAreValues(_ store: Store, _ json: Data) throws {
    let lists = try store.import(LossyList<[Book]>.self, from: json)
    let titles: [[String]] = lists.elements.values.map { $0.map(\.title) }
    let books = try store.import(LossyList<Book>.self, from: json).elements
    print(titles, lists.elements.count)
    print(try books.count, try books.fetch().count)
}

func readingIsAwaited(_ store: Store) async throws {
    let books = try await store.read { try $0.fetch(Book.all) }
    let title = try await store.read { try $0.find(Book.self, id: "1")?.title }
    let pages = try await store.read { try $0.select(Book.all) { $0.pages }.reduce(0, +) }
    let rows = try await store.read { try $0.select(Book.all) { ($0.title, $0.pages) } }
    async let authors = store.read { try $0.fetch(Author.all, including: \.books).count }
    async let count = store.read { snapshot in
        let books = try snapshot.fetch(Book.where { $0.pages > 3 })
        return books.count
    }
    print(books, title ?? "", pages, rows, try await authors, try await count)
}

func readingIsPromised(_ store: Store) {
    store.promise.read { try $0.fetch(Book.all) }.then { print($0.count) }
    store.promise.read { try $0.find(Author.self, id: 3) }.then { $0?.name ?? "" }
        .then { print($0) }
    store.promise.read { try $0.select(Book.all) { $0.title } }.then { $0.count }
        .catch { print($0) }
    store.promise.read { snapshot in
        let authors = try snapshot.fetch(Author.all)
        return authors.map(\.name)
    }
    .then { print($0.joined(separator: ", ")) }
}

func observationsAreIterated(_ store: Store) async throws {
    for try await books in store.observe(Book.all) { print(books.count) }
    for try await books in store.observe(Book.where { $0.pages > 3 }.limit(3)) { print(books) }
    for try await count in store.observe({ try $0.count(Book.all) }) { print(count + 1) }
    for try await change in store.observeChanges(of: Book.all) { print(change.insertions) }
    var values = store.observe(Author.all).makeAsyncIterator()
    if let first = try await values.next() { print(first.map(\.name)) }
}

@MainActor
final class BookScreen {
    var books: [Book] = []
    var title: String?
    var observations: [StoreObservation] = []

    struct Missing: Error {}

    nonisolated static func number(_ snapshot: Snapshot) throws -> Int {
        try snapshot.count(Book.all)
    }

    func watch(_ store: Store, _ owner: Holder?) {
        observations.append(store.observe(Book.all).start { self.books = $0 })
        observations.append(
            store.observe(Book.all.limit(1)).start { [weak self] in self?.title = $0.first?.title })
        observations.append(store.observe(Book.all).start(on: .main) { print($0.count) })
        observations.append(
            store.observe(Book.all).start(onError: { print($0) }, onChange: { self.books = $0 }))
        observations.append(
            store.observe { try $0.find(Book.self, id: "1") }.start { self.title = $0?.title })
        observations.append(
            store.observe { try $0.fetch(DynamicQuery("Book")) }.start { print($0.count) })
        observations.append(
            store.observe { snapshot in
                let books = try snapshot.fetch(Book.all)
                return (books.count, try snapshot.count(Author.all))
            }
            .start { print($0.0 + $0.1) })
        observations.append(
            store.observe { snapshot in
                guard let first = try snapshot.first(Book.all) else { throw Missing() }
                return first.title
            }
            .start { self.title = $0 })
        observations.append(store.observe(Self.number).start { print($0 + 1) })
        observations.append(store.observe { _ in 3 }.start { print($0 + 1) })
        if let own = owner?.store.observe(Author.all).start(onChange: {
            print($0.map(\.name))
        }) {
            observations.append(own)
        }
    }
}
