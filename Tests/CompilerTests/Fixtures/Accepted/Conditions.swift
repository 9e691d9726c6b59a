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
