// What JSON says and what an app wants: key paths, transformers, values as JSON, rules, wrappers.

import Foundation
import Larder

extension Transformer {
    nonisolated static let hexColor = Transformer(
        "hexColor", from: { (text: String) in Int(text.dropFirst(), radix: 16) },
        to: { (color: Int) in "#" + String(color, radix: 16) })
}

struct Address: JSONAttribute {
    var street: String
    var town: String
}

enum State: String, AttributeValue { case open, closed }

@Entity(keys: .snakeCase) struct Event {
    @Identity var id: Int
    @Attribute("meta.times.start", .unix) var start: Date
    @Attribute("meta.times.end", .unix) var end: Date
    @Attribute(.hexColor) var color: Int?
    var state: State = .open
    var address: Address?  // kept as JSON
    var tags: [String]?  // this too

    static var rules: [Rule<Event>] {
        [Rule("ends after it starts") { $0.end > $0.start }]
    }
}

// snippet.wrapper
struct Agenda: MappedWrapper {
    var page = 1
    var events: Many<Event>?
    var day: Date?

    mutating func map(_ map: WrapperMap) throws {
        try map.read(&page, at: "meta.page")
        try map.read(&events, at: "events")  // stored
        try map.read(&day, at: "meta.day")
    }
}

// snippet.hide
let store = try Store.inMemory(entities: Event.self)
let agenda = try store.import(
    Agenda.self,
    from: Data(
        #"""
        {"meta": {"page": 2, "day": "2026-11-21"}, "events": [{"id": 1, "meta": {"times": {"start": 1, "end": 2}},
          "color": "#ff8800", "state": "closed", "address": {"street": "Main St", "town": "X"}, "tags": ["a"]}]}
        """#.utf8))
print(agenda.page, try agenda.events?.fetch() ?? [])
