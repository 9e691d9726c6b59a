import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Lists by a server that confirms what is still the same, beside the same lists that are sent each time: both leave the
/// same.
@Suite struct ConfirmationLawTests {
    /// What may have lost its owner.
    @Entity struct Drawer {
        @Identity var id: Int
        @Relationship(inverse: "drawer", ordered: false) var socks: Many<Sock>
    }

    @Entity struct Sock {
        @Identity var id: Int
        var name: String
        @Attribute(mapped: false) var isGone = false
        @Relationship(inverse: "socks") var drawer: One<Drawer>?
    }

    /// What can't be without its owner.
    @Entity struct Wall {
        @Identity var id: Int
        @Relationship(inverse: "wall", ordered: false) var hooks: Many<Hook>
    }

    @Entity struct Hook {
        @Identity var id: Int
        var name: String
        @Relationship(inverse: "hooks") var wall: One<Wall>
    }

    /// What several link, each in an order of its own.
    @Entity struct Album {
        @Identity var id: Int
        var songs: Many<Song>
    }

    @Entity struct Song {
        @Identity var id: Int
        var name: String
    }

    private enum Kind: String, CaseIterable {
        case socks, markedSocks, hooks, songs

        func completeness(of id: Int) -> Completeness {
            switch self {
            case .socks: .whole(\.socks, of: One<Drawer>(id: id)).allowingEmptying()
            case .markedSocks:
                .whole(\.socks, of: One<Drawer>(id: id), marking: \.isGone).allowingEmptying()
            case .hooks: .whole(\.hooks, of: One<Wall>(id: id)).allowingEmptying()
            case .songs: .whole(\.songs, of: One<Album>(id: id)).allowingEmptying()
            }
        }
    }

    private static func store() throws -> Store {
        let store = try Store.inMemory(
            entities: Drawer.self, Sock.self, Wall.self, Hook.self, Album.self, Song.self)
        for id in 1...2 {
            try store.save(Drawer(id: id, socks: []))
            try store.save(Wall(id: id, hooks: []))
            try store.save(Album(id: id, songs: []))
        }
        return store
    }

    /// All that a store has.
    private static func dump(_ store: Store) throws -> [String] {
        let socks = try store.fetch(Sock.all.sorted { $0.id.ascending })
        let hooks = try store.fetch(Hook.all.sorted { $0.id.ascending })
        let albums = try store.fetch(Album.all.sorted { $0.id.ascending })
        return socks.map { "\($0.id) \($0.name) \($0.isGone) in \($0.drawer?.id ?? 0)" }
            + hooks.map { "\($0.id) \($0.name) at \($0.wall.id ?? 0)" }
            + (try albums.map { "\($0.id) \(try $0.songs.fetch().map(\.id))" })
            + (try store.fetch(Song.all.sorted { $0.id.ascending }).map { "\($0.id) \($0.name)" })
    }

    /// An edit of the app's, which the server never hears of.
    private static func edit(
        _ store: Store, _ kind: Kind, _ id: Int, by random: inout SplitMix
    ) throws {
        let owner = Int.random(in: 1...2, using: &random)
        let way = Int.random(in: 0..<4, using: &random)
        try store.write { context in
            switch kind {
            case .socks, .markedSocks:
                let links = try context.edit(\.socks, of: One<Drawer>(id: owner))
                guard try context.find(Sock.self, id: id) != nil else { return }
                switch way {
                case 0: try links.remove(One<Sock>(id: id))
                case 1: _ = try context.update(Sock.where { $0.id == id }) { $0.name.set("own") }
                default: try links.add(One<Sock>(id: id))
                }
            case .hooks:
                guard try context.find(Hook.self, id: id) != nil else { return }
                if way == 0 {
                    _ = try context.update(Hook.where { $0.id == id }) { $0.name.set("own") }
                } else {
                    try context.edit(\.hooks, of: One<Wall>(id: owner)).add(One<Hook>(id: id))
                }
            case .songs:
                guard try context.find(Song.self, id: id) != nil else { return }
                let links = try context.edit(\.songs, of: One<Album>(id: owner))
                switch way {
                case 0: try links.remove(One<Song>(id: id))
                case 1: try links.add(One<Song>(id: id))
                default:
                    let songs = try context.fetch(Song.all.sorted { $0.id.descending })
                    try links.set(Many(songs))
                }
            }
        }
    }

    @Test(arguments: 0..<24)
    func `what is confirmed leaves what the same list does that is sent`(
        _ seed: Int
    ) async throws {
        let confirming = try FetchSetting(in: Self.store())
        let server = confirming.server
        let sending = try FetchSetting(
            in: Self.store(),
            over: StubTransport { request in
                var request = request
                request.head.headerFields[.ifNoneMatch] = nil
                return try server.answer(request)
            })
        var random = SplitMix(seed: UInt64(seed))
        // One that each owner could have, or several of them say that they have.
        var lists: [String: [Int]] = [:]
        for step in 0..<60 {
            let kind = Kind.allCases.randomElement(using: &random) ?? .socks
            let id = Int.random(in: 1...4, using: &random)
            let owner = Int.random(in: 1...2, using: &random)
            let path = "\(kind == .markedSocks ? .socks : kind)-\(owner)"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                var list = (lists[path] ?? []).filter { $0 != id }
                list.insert(id, at: Int.random(in: 0...list.count, using: &random))
                lists[path] = list
            case 1: lists[path]?.removeAll { $0 == id }
            case 2, 3:
                var other = random
                try Self.edit(sending.store, kind, id, by: &other)
                try Self.edit(confirming.store, kind, id, by: &random)
            default:
                let elements = (lists[path] ?? []).map { "{\"id\": \($0), \"name\": \"\($0)\"}" }
                server["/\(path)"] = "[\(elements.joined(separator: ", "))]"
                let list = AdHocEndpoint.get("\(path)")
                    .setting(\.completeness, to: kind.completeness(of: owner))
                func ask(_ setting: FetchSetting) async throws -> [Int] {
                    let count = server.answers.count
                    switch kind {
                    case .socks, .markedSocks:
                        _ = try await setting.client.enqueue(list, as: [Sock].self).value
                    case .hooks: _ = try await setting.client.enqueue(list, as: [Hook].self).value
                    case .songs: _ = try await setting.client.enqueue(list, as: [Song].self).value
                    }
                    return Array(server.answers.dropFirst(count))
                }
                _ = try await ask(sending)
                // A confirmation, and the list where that does not do; what nobody has touched is confirmed.
                let answers = try await ask(confirming)
                #expect([[200], [304], [304, 200]].contains(answers), "step \(step) of \(seed)")
                #expect(try await ask(confirming) == [304], "step \(step) of \(seed)")
            }
            #expect(
                try Self.dump(confirming.store) == Self.dump(sending.store),
                "step \(step) of \(seed), \(kind) of \(path)")
        }
        #expect(server.answers.contains(304))
    }

    // MARK: Languages and options

    /// What has more of an element than its object, and can't be read by all options.
    private struct Track: Wrapper {
        var at: Date
        @Stored var song: Song
    }

    /// The server tells versions by their times alone, and an interceptor says in which language it is asked.
    @Test(arguments: 0..<12)
    func `what is confirmed is what would be sent, in each language and by all options`(
        _ seed: Int
    ) async throws {
        let spoken = Guarded("de")
        let version = Guarded(1)
        let confirmed = Guarded(0)
        let transport = StubTransport { request in
            let number = version.withLock(\.self)
            let fields: HTTPFields = [
                .lastModified: "Mon, 01 Jan 2024 00:00:\(number + 10) GMT",
                .vary: "Accept-Language",
            ]
            if request.head.headerFields[.ifModifiedSince] == fields[.lastModified] {
                confirmed.withLock { $0 += 1 }
                return .json("", status: .notModified, headerFields: fields)
            }
            let name = "\(request.head.headerFields[.acceptLanguage] ?? "") \(number)"
            return .json(
                #"[{"at": 1, "song": {"id": 1, "name": "\#(name)"}}]"#, headerFields: fields)
        }
        let setting = try FetchSetting(in: Self.store(), over: transport) {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.headerFields[.acceptLanguage] = spoken.withLock(\.self)
                    return next(request)
                }
            ]
        }
        var random = SplitMix(seed: UInt64(seed))
        for step in 0..<40 {
            let language = Bool.random(using: &random) ? "de" : "en"
            spoken.withLock { $0 = language }
            if Int.random(in: 0..<4, using: &random) == 0 { version.withLock { $0 += 1 } }
            let isRead = Bool.random(using: &random)
            let client = setting.client.configured {
                if isRead { $0.decodingOptions = DecodingOptions(dates: .secondsSince1970) }
            }
            let tracks: LossyList<Track> = try await client.enqueue(Resource("x")).value
            let names = isRead ? ["\(language) \(version.withLock(\.self))"] : []
            #expect(
                tracks.elements.values.map(\.song.name) == names, "step \(step) of \(seed)")
        }
        #expect(confirmed.withLock(\.self) > 0)
    }
}
