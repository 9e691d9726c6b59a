import Larder

func unlikeTypes() {
    // error: the attribute is of another type than this value
    _ = Book.where { $0.pages == "3" }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.title != 3 }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.pages == "3" && $0.title == "x" }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.title == "x" || !($0.pages == 3 && $0.price == "3") }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.pages > "3" }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.pages == 2.5 }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.shape == "paper" }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.author.name == 3 }
    // error: the attribute is of another type than this value
    _ = Book.where { $0.author.teacher.id == "3" }
    // error: the attributes are of different types
    _ = Book.where { $0.author.id == $0.title }
    // error: the attributes are of different types
    _ = Book.where { $0.pages == $0.title }
    // error: the attributes are of different types
    _ = Book.where { $0.pages >= $0.title }
    // error: or its values have no order
    _ = Book.where { $0.isSold > true }
    // error: compare a relationship with a 'One', or its object's identity with a value
    _ = Book.where { $0.author == 3 }
}

func objectsThatAreNoLinks(_ author: Author) {
    // error: compare a relationship with a 'One': 'One(object)'
    _ = Book.where { $0.author == author }
    // error: compare a relationship with a 'One': 'One(object)'
    _ = Book.where { $0.pages > 3 && $0.author != author }
}

func valuesThatAreNeverEmpty() {
    // error: the attribute is never empty, as its type is not an optional
    _ = Book.where { $0.title == nil }
    // error: the attribute is never empty, as its type is not an optional
    _ = Book.where { $0.title != nil }
    // error: the attribute is never empty, as its type is not an optional
    _ = Book.where { $0.pages > 3 && $0.title == nil }
    // error: the attribute is never empty, as its type is not an optional
    _ = Book.where { $0.title != nil || !($0.pages == 3) }
    _ = Book.where {
        $0.pages > 1 && $0.pages < 9 && $0.title > "a" && $0.title < "b" && $0.pages > 2
            && $0.pages < 8 && $0.title > "c"
            // error: the attribute is never empty, as its type is not an optional
            && $0.title != nil
    }
}

func columnsThatAreNoConditions() {
    // error: a condition compares an attribute with a value
    _ = Book.where { $0.isSold }
    // error: a condition compares an attribute with a value
    _ = Book.where { !$0.isSold }
    // error: cannot convert value of type 'Column<Bool>' to expected argument type 'Condition'
    _ = Book.where { $0.isSold && $0.pages > 3 }
    // error: cannot convert value of type 'Column<Bool>' to expected argument type 'Condition'
    _ = Book.where { $0.pages > 3 || $0.isSold }
    // error: a condition compares an attribute with a value
    _ = Book.where { $0.pages > 3 && !$0.isSold }
    // error: a condition compares an attribute with a value
    _ = Book.all.where { $0.isSold }
    // error: a condition compares an attribute with a value
    _ = Book.where { $0.author.name }
    // error: a condition compares an attribute with a value
    _ = Author.where { $0.books.contains { $0.isSold } }
    // error: a condition compares an attribute with a value
    _ = Author.where { $0.id == 3 && $0.books.allSatisfy { $0.isSold } }
    // error: a condition compares an attribute with a value
    _ = Author.where { $0.books.count { $0.isSold } > 2 }
}

func objectsOfARelationshipToMany() {
    // error: the relationship leads to many objects; write
    _ = Author.where { $0.books.title == "x" }
    // error: the relationship leads to many objects; write
    _ = Author.where { $0.id == 3 && $0.books.pages > 3 }
    // error: the relationship leads to many objects; write
    _ = Author.where { $0.teacher.books.price == nil }
}

func beyondARelationship(_ store: Store) throws {
    // error: has no dynamic member 'missing'
    _ = Book.where { $0.author.missing == 3 }
    // error: cannot convert value of type '(Book.Columns) -> Column<String?>'
    let names: [String] = try store.select(Book.all) { $0.author.name }
    print(names)
}

func ordersWithoutADirection() {
    // error: say which way
    _ = Book.all.sorted { $0.title }
    // error: say which way
    _ = Book.where { $0.pages > 3 }.sorted { $0.made }
}
