// Transfers that go on while the app does not run, where its system can do that.

import Foundation
import Larder

let store = try Store.inMemory()
let client = Client(baseURL: "https://api.example.com/", store: store)

// snippet.transfers
let transfers = BackgroundTransport(identifier: "com.example.app.transfers") { transfer in
    // Begun by an earlier run of the app, whose promise is gone.
    print("\(transfer.file?.lastPathComponent ?? transfer.url) has ended: \(transfer.result)")
}
let transferring = client.configured { $0.transport = transfers }

func map(of region: String, to file: URL) -> Promise<Response<URL>> {
    transferring.download(.get("maps/\(region)"), to: file)
}
// snippet.end

// snippet.settings
func thriftySettings() -> BackgroundTransport.Configuration {
    var settings = BackgroundTransport.Configuration()
    settings.isDiscretionary = true
    settings.allowsCellularAccess = false
    return settings
}
// snippet.end
