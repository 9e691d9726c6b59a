// What GRDB's README shows, here.

import Foundation
import Larder

// snippet.record
@Entity struct Player {
    @Identity var id: Int
    var name: String
    @Attribute(indexed: true) var score: Int
    @Relationship(inverse: "players") var team: One<Team>?
}

@Entity struct Team {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "team", ordered: false) var players: Many<Player>
}

let store = try Store.inMemory(entities: Player.self, Team.self)  // an app has Store(at: path, …)
// snippet.end

// snippet.write
func write() throws {
    let reds = Team(id: 1, name: "Reds", players: .unchanged)
    var arthur = Player(id: 1, name: "Arthur", score: 100, team: One(reds))
    try store.save(arthur)  // the team as well, where the store does not have it

    arthur.score = 1_000
    try store.update(arthur)

    try store.write { context in
        try context.insert(Player(id: 2, name: "Barbara", score: 5, team: One(id: 1)))
        try context.update(Player.where { $0.score < 10 }) { $0.score.increment() }
        try context.delete(Player.where { $0.score > 10_000 })
    }
}
// snippet.end

// snippet.json
func takeOver(_ data: Data) throws {
    try store.import([Player].self, from: data, at: "players")
}
// snippet.end

func read() throws {
    // snippet.read
    let best = try store.fetch(Player.all.sorted { $0.score.descending }.limit(10))
    let arthur = try store.first(Player.where { $0.name == "Arthur" })
    let first = try store.find(Player.self, id: 1)
    let names = try store.select(Player.where { $0.score >= 1_000 }) { $0.name }
    let lonely = try store.count(Player.where { $0.team.isNil })
    let highest = try store.value(Player.all) { $0.score.max }
    // snippet.end
    print(best.count, arthur?.score ?? 0, first?.name ?? "", names, lonely, highest ?? 0)
}

func follow() throws {
    // snippet.associations
    for (player, team) in try store.fetch(Player.all, including: \.team) {
        print(player.name, team?.name ?? "of no team")
    }
    let ofReds = Player.where { $0.team.name == "Reds" }
    let large = Team.where { $0.players.count > 10 }
    let strong = Team.where { $0.players.contains { $0.score > 500 } }
    // snippet.end
    print(try store.count(ofReds), try store.count(large), try store.count(strong))
}

// snippet.observe
@MainActor func observe() -> StoreObservation {
    store.observe(Player.all.sorted { $0.score.descending }).start { players in
        print(players.map(\.name))
    }
}
// snippet.end

func ask() throws {
    // snippet.sql
    let rows = try store.rows(
        "SELECT team, max(score) AS best FROM \(Player.self) GROUP BY team ORDER BY best")
    for row in rows {
        print(try row.value("team", as: Int?.self) ?? 0, try row.value("best", as: Int.self))
    }
    // snippet.end
}

// snippet.hide
try write()
try takeOver(Data(#"{"players": [{"id": 3, "name": "Craig", "score": 1, "team": null}]}"#.utf8))
try read()
try follow()
try ask()
