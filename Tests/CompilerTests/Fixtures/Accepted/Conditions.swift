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
}
