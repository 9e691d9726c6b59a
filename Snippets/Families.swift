// Entities that inherit from each other, in one table.

import Foundation
import Larder

@Entity(
    abstract: true,
    mapper: EntityMapper(key: "type", values: ["text": "TextMessage", "picture": "PictureMessage"]))
struct Message {
    @Identity var id: Int
    var sentAt: Date
}

@Entity(parent: Message.self)
struct TextMessage {
    @Inherited var id: Int
    @Inherited var sentAt: Date
    var text: String
}

@Entity(parent: Message.self)
struct PictureMessage {
    @Inherited var id: Int
    var url: URL
}

let store = try Store.inMemory(entities: TextMessage.self, PictureMessage.self)
try store.import(
    Many<Message>.self,
    from: Data(
        #"""
        [{"type": "text", "id": 1, "sentAt": "2026-11-21T10:00:00Z", "text": "Hello"},
         {"type": "picture", "id": 2, "sentAt": "2026-11-21T10:01:00Z", "url": "https://a.example/b.png"}]
        """#.utf8))

// snippet.fetch
let all = try store.count(Message.all)  // 2
let texts = try store.fetch(TextMessage.where { $0.text.contains("ello") && $0.id == 1 })

// snippet.hide
print(all, texts)
