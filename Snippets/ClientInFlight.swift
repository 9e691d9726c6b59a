// Requests as things: shared, in a queue, cancelled together.

import Foundation
import HTTPTypes
import Larder

@Entity struct Story {
    @Identity var id: Int
    var title: String
}

// snippet.declaration
struct Stories: Endpoint {
    let path = "stories"
    let coalescing = Coalescing.joining
    let priority = RequestPriority.high
    let tags = ["front page"]
}
// snippet.end

func configuration() -> Client.Configuration {
    // snippet.configuration
    var configuration = Client.Configuration()
    configuration.coalescing = .joining
    configuration.queue = RequestQueue(maximumRequests: 64, maximumRequestsPerHost: 6)
    // snippet.end
    return configuration
}

func coalescing(_ client: Client) {
    // snippet.coalescing
    // One exchange, two values.
    client.enqueue(Stories()).then { (stories: Many<Story>) in print(try stories.count) }
    client.enqueue(Stories()).then { (content: Data) in print(content.count) }

    // A second tap on the button is refused while the first one's order is on its way.
    client.configured { $0.coalescing = .refusing.covering([.post]) }
        .enqueue(.post("orders", body: .json(["item": 7])))
        .catch(only: ClientError.self) { error in
            if error.reason == .duplicate { print("on its way") }
        }
    // snippet.end
}

/// Notes what is slow.
final class Statistics: Sendable {
    func watch(_ client: Client) {
        // snippet.timings
        client.observeRequests(for: self, of: Stories.self) { statistics, event in
            guard event.isEnd, let transfer = event.timings.transfer else { return }
            let isNew = event.timings.isConnectionReused == false
            statistics.note(transfer, isNew ? event.timings.secureConnect : nil)
        }
        // snippet.end
    }

    private func note(_ transfer: Duration, _ secureConnect: Duration?) {
        print(transfer, secureConnect ?? "over a kept connection")
    }
}

func queue(_ client: Client) {
    // snippet.queue
    client.configured { $0.priority = .low }
        .enqueue(Stories(), as: [Story].self)
        .then { stories in print(stories.count) }
    // snippet.end
}

func cancelling(_ client: Client) {
    // snippet.cancelling
    client.cancel(tag: "front page")
    client.cancel(Stories.self)
    client.cancelAll()

    for request in client.requestsInFlight { print(request.id, request.endpoint) }
    // snippet.end
}
