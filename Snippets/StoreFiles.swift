// The file of a store: seeds, copies, room, damage.

import Foundation
import Larder

@Entity struct City {
    @Identity var id: Int
    var name: String
    var lastUsed: Date?
}

// snippet.place
func storePath() throws -> String {
    let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    // As a file's path, in which a space is a space.
    return folder.appending(path: "cities.sqlite").path(percentEncoded: false)
}

// snippet.configuration
var configuration = Store.Configuration()
configuration.seed = Bundle.main.url(forResource: "cities", withExtension: "sqlite")
configuration.maximumSize = 200 << 20
configuration.evictions = [
    Eviction(City.self, by: "lastUsed", olderThan: .seconds(30 * 86_400), keeping: 10_000)
]

// snippet.damage
let store: Store
do {
    store = try Store(at: "cities.sqlite", entities: City.self, configuration: configuration)
} catch let error as StoreError where error.reason == .damaged {
    let (rebuilt, report) = try Store.rebuild(at: "cities.sqlite", entities: City.self)
    print("moved to \(report.damagedFile ?? "nowhere"), saved \(report.saved)")
    store = rebuilt
}

// snippet.tables
for table in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
    print(try table.value("name", as: String.self))
}

// snippet.care
try store.evict()
try store.vacuum()
try store.backUp(to: URL(filePath: "copy.sqlite"))
let report = try store.checkIntegrity()
print(report.isSound, try store.size)
