// XML as a tree, and as objects in the store.

import Foundation
import Larder
import LarderXML

let store = try Store.inMemory(entities: Story.self)
let client = Client(baseURL: "https://news.example.com/", store: store)

// snippet.tree
func title() -> Promise<String> {
    client.enqueue(.get("feed.rss"), serializer: .xml()).then { feed in
        feed["channel"]?["title"]?.text ?? ""
    }
}
// snippet.end

// snippet.objects
@Entity struct Story {
    @Identity @Attribute("guid.#text") var id: String
    var title: String
}

/// Some `guid` have an attribute and some don't.
let feeds = client.configured {
    $0.documentReader = XMLReader(arrays: ["rss.channel.item"], objects: ["guid"])
}

func stories() -> Promise<Many<Story>> {
    feeds.enqueue(.get("feed.rss"), at: "rss.channel.item")
}
// snippet.end
