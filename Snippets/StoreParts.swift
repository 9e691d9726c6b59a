// Objects that are parts of another one, and go with it.

import Foundation
import Larder

// snippet.parts
@Entity struct Cart {
    @Identity var id: Int
    @Relationship(delete: .cascade, policy: .replace) var lines: Many<Line>
}

@Entity struct Line {
    var article: String
    var quantity: Int
}

// snippet.hide
let store = try Store.inMemory(entities: Cart.self, Line.self)
// snippet.show
for quantity in 1...2 {
    let json = #"{"id": 1, "lines": [{"article": "tea", "quantity": \#(quantity)}]}"#
    let cart = try store.import(Cart.self, from: json)
    print(try cart.lines.fetch().map(\.quantity), try store.count(Line.all))  // [1] 1, [2] 1
}
