// What is read as it comes: content, lines, and events that a server sends.

import Foundation
import Larder

@Entity struct Price {
    @Identity var symbol: String
    var amount: Double
}

func follow(_ client: Client) async throws {
    // snippet.parts
    for try await data in client.stream(.get("recordings/1")) {
        print(data.count, "bytes")
    }
    for try await line in client.stream(.get("logs/today")).lines() {
        print(line)
    }
    // snippet.end

    // snippet.head
    var parts = client.stream(.get("recordings/1")).makeAsyncIterator()
    if let response = try await parts.response() {
        print(response.status, response.headerFields[.contentType] ?? "of no type")
    }
    while let data = try await parts.next() {
        print(data.count, "bytes")
    }
    let lines = client.stream(.get("logs/today"))
        .onResponse { response in print(response.headerFields[.lastModified] ?? "just now") }
        .lines()
    for try await line in lines {
        print(line)
    }
    // snippet.end

    // snippet.values
    for try await price in client.stream(.get("prices/export"), as: Price.self) {
        print(price.symbol, "is in the store")
    }
    // snippet.end
}

// snippet.events
func watch(_ client: Client) async throws {
    for try await event in client.events(.get("feed")) {
        print(event.event, event.data)
    }
}
// snippet.end

// snippet.quiet
func watchQuietFeed(_ client: Client) async throws {
    let patient = client.configured { $0.idleTimeout = .seconds(900) }
    for try await event in patient.events(.get("feed")) {
        print(event.event, event.data)
    }
}
// snippet.end

// snippet.completion
func complete(_ prompt: String, _ client: Client) async throws -> String {
    var text = ""
    for try await event in client.events(.post("completions", body: .json(["prompt": prompt]))) {
        text += event.data
    }
    return text
}
// snippet.end

// snippet.live
func update(_ client: Client) -> Task<Void, any Error> {
    Task {
        // Live queries show each price as it comes; cancelling the task ends the connection, whose
        // error is the task's.
        for try await _ in client.events(.get("prices"), as: Price.self, named: ["price"]) {}
    }
}
// snippet.end

// snippet.goingOn
func update(_ client: Client, after lastEventID: inout String) async throws {
    let prices = client.events(
        .get("prices"), as: EventValue<Price>.self, after: lastEventID)
    for try await price in prices {
        // The price is in the store by now.
        lastEventID = price.id
    }
}
// snippet.end

// snippet.reconnection
func resume(_ client: Client, after lastEventID: String) async throws {
    let reconnection = Reconnection(time: .seconds(1), attempts: 20)
    let events = client.events(.get("feed"), after: lastEventID, reconnection: reconnection)
    for try await event in events {
        print(event.id, event.data)
    }
}
// snippet.end
