// What single values are read from: dates, numbers in strings, enums, and what may not fit.

import Foundation
import Larder

// snippet.values
enum State: String, AttributeValue { case open, shipped, other }

extension Transformer {
    /// Days such as `21.11.2026`, in UTC.
    nonisolated static let day = Transformer(
        "day",
        from: { (text: String) in
            let form: Date.FormatString =
                "\(day: .twoDigits).\(month: .twoDigits).\(year: .defaultDigits)"
            return try Date(text, strategy: Date.ParseStrategy(format: form, timeZone: .gmt))
        })
}

@Entity(keys: .snakeCase) struct Order {
    @Identity @Attribute(.number) var id: Int  // 7, or "7"
    var placedAt: Date  // ISO 8601
    @Attribute("shipped", .unix) var shippedAt: Date?
    @Attribute(.day) var due: Date?
    var total: Decimal  // to the last digit
    @Attribute(.boolean) var isPaid = false  // true, 1, or "true"
    @Attribute(.lenient(State.self, otherwise: .other)) var state: State = .open
    @Attribute(mapped: false) var isStarred = false  // the app's own, which no import touches
}

// snippet.hide
let store = try Store.inMemory(entities: Order.self)
let orders = try store.import(
    [Order].self,
    from: Data(
        #"""
        [{"id": "7", "placed_at": "2026-11-20T10:30:00.5+01:00", "shipped": 1795257000,
          "due": "21.11.2026", "total": 12.30, "is_paid": "true", "state": "lost"},
         {"id": 8, "placed_at": "2026-11-21", "total": "0.1"}]
        """#.utf8))
for order in orders { print(order) }
