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
