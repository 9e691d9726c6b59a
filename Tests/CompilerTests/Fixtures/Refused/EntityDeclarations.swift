import Foundation
import Larder

@Entity class Shelf {  // error: '@Entity' applies to a struct; 'Shelf' is a class
    var id = 1
}

@Entity struct Tagged {
    @Identity var id: Int
    var tags: Set<String>  // error: 'tags' cannot be of type 'Set<String>'; JSON has arrays only
}

@Entity struct Dated {
    @Identity var id: Int
    var made = Date()  // error: 'made' needs a type annotation
}

enum Kind: String {
    case novel, poem
}

// error: an entity is no attribute: make the property a relationship, 'One<…>' of its type
@Entity struct WithoutOne {
    @Identity var id: Int
    var author: Author
}

// error: make the property a relationship, 'One<…>?' of its type
@Entity struct WithoutOptionalOne {
    @Identity var id: Int
    var author: Author?
}

// error: make the property a relationship, 'Many<…>' of their type
@Entity struct WithoutMany {
    @Identity var id: Int
    var authors: [Author]
}

// error: an enum is an attribute once it says so: 'enum …: String, AttributeValue'
@Entity struct WithPlainEnum {
    @Identity var id: Int
    var kind: Kind
}

// error: the type of an attribute conforms to 'AttributeValue'
@Entity struct WithPlainStruct {
    @Identity var id: Int
    var token: Token
}

@Entity struct WithRelationshipOfValues {
    @Identity var id: Int
    @Relationship var books: [Book]  // error: applies to 'One' and 'Many', such as 'Many<Book>'
}

enum Keys {
    static let name = "full_name"
}

// error: a key path must be a plain string literal
@Entity struct WithNamedKey {
    @Identity var id: Int
    @Attribute(Keys.name) var name: String?
}
