import Foundation
import Larder

func conditionsCompareAttributes() {
    _ = Book.where { $0.pages == 3 }
    _ = Book.where { $0.pages > 3 && $0.title == "x" }
    _ = Book.where { $0.price == 2.5 || $0.price == nil }
    _ = Book.where { $0.shape == .paper && $0.isSold == false }
    _ = Book.where { $0.made > Date(timeIntervalSince1970: 0) }
    _ = Book.where { $0.author.name == "Ann" }
    _ = Book.where { $0.author.name == $0.title }
    _ = Author.where { $0.books.contains { $0.pages > 3 } }
    _ = Author.where { $0.books.count > 1 }
}

/// Whatever the relationship and the attribute say: the object may be a reference.
func columnsBeyondARelationshipMayBeEmpty(_ store: Store) throws {
    let names: [String?] = try store.select(Book.all) { $0.author.name }
    let dates: [Date?] = try store.select(Book.all) { $0.author.born }
    let ids: [Int?] = try store.select(Author.all) { $0.teacher.id }
    let far: [String?] = try store.select(Book.all) { $0.author.teacher.teacher.name }
    let sure: [String] = try store.select(Book.all) { $0.author.name ?? "nobody" }
    let pairs: [(String, Int?)] = try store.select(Book.all) { ($0.title, $0.author.id) }
    let groups: [(String?, Int)] = try store.select(Book.all, groupedBy: { $0.author.name }) {
        $0.title.count
    }
    let both = try store.select(
        Book.all, groupedBy: { ($0.title, $0.author.id) },
        { ($0.pages.sum, $0.pages.average, $0.made.max, $0.author.born.min) })
    let sums: [(String, Int?, Int, Double?, Date?, Date?)] = both
    let longest: Int? = try store.value(Book.all) { $0.pages.max }
    let counts: [Int] = try store.select(Book.all) { $0.author.books.count }
    print(names, dates, ids, far, sure, pairs, groups, counts, sums, longest as Any)
}

func columnsBeyondARelationshipHaveTheirOperators() {
    _ = Book.where { $0.author.name.hasPrefix("A") && $0.author.name.isIn(["Ann", "Bob"]) }
    _ = Book.where { $0.author.id.isIn([1, 2]) || $0.author.id.isIn(7...9) }
    _ = Book.where { $0.author.id.isIn(7..<9) || $0.author.id.isIn(..<9) }
    _ = Book.where { $0.author.id.isIn(...9) }
    _ = Book.where { $0.author.id.isIn(7...) }
    _ = Book.where { $0.author.id + 1 > 2 && $0.pages.optional + $0.author.id < 3 }
    _ = Book.where { $0.author.born.year == 1970 && $0.author.born == $0.made }
    _ = Book.where { $0.author.born.seconds(since: $0.made) > 3 }
    _ = Book.where { $0.author.teacher.name == "Ann" && $0.author.teacher == One(id: 3) }
    _ = Book.where { $0.author.books.contains { $0.author.teacher.id == 3 } }
    _ = Book.all.sorted { [$0.author.name.ascending, $0.author.id.descending] }
}

func conditionsMayBeLong() {
    _ = Book.where {
        $0.pages == 1 || $0.pages == 2 || $0.pages == 3 || $0.pages == 4 || $0.pages == 5
            || $0.pages == 6 || $0.pages == 7 || $0.pages == 8
    }
    _ = Book.where {
        $0.pages > 1 || $0.title == "2" || $0.price > 3 || $0.shape == .paper
            || $0.isSold == true || $0.made < Date() || $0.pages <= 7 || $0.author.name != "8"
    }
    _ = Book.where {
        $0.pages + 1 > 1 && $0.pages * 2 < 20 && $0.price > 3 && $0.price < 3.5
            && $0.title == $0.author.name && $0.author.id == 3 && $0.author == One(id: 3)
            && $0.made != nil
    }
    _ = Book.where {
        $0.author.name == "1" || $0.author.id == 2 || $0.author.teacher.id == 3
            || $0.author.name != $0.title || $0.author.id + 1 > 5 || $0.author.born < Date()
            || $0.author.teacher.name.hasPrefix("7") || $0.author.teacher.born == nil
    }
}
