import Foundation
import LarderObjectStore

extension Scenario {
    /// What is done to whole files.
    static let files: [Scenario] = [
        Scenario("make", after: prepareNothing),
        Scenario(
            "make-and-import", after: prepareNothing,
            steps: [
                { store, _ in try store.import(Many<Book>.self, from: Library.books(0..<20)) }
            ]),
        Scenario("migrate", opening: { try Library.openLater($0.path, $1) }),
        Scenario(
            "migrate-copy",
            opening: { workplace, configuration in
                var configuration = configuration
                configuration.migration.backup = .file(workplace.url("copy.sqlite"))
                return try Library.openLater(workplace.path, configuration)
            }),
        Scenario("back-up") { store, workplace in
            try store.backUp(to: workplace.url("copy.sqlite"))
        },
        Scenario("vacuum") { store, _ in try store.vacuum() },
        Scenario("check") { store, _ in
            guard try store.checkIntegrity().isSound else { throw Wrong("found to be damaged") }
        },
        Scenario(
            "plant-seed",
            after: { workplace in
                try prepareLibrary(workplace)
                try FileManager.default.moveItem(
                    at: workplace.url("store.sqlite"), to: workplace.url("seed.sqlite"))
            },
            opening: { workplace, configuration in
                var configuration = configuration
                configuration.seed = workplace.url("seed.sqlite")
                return try Library.open(workplace.path, configuration)
            }),
        Scenario(
            "rebuild",
            after: { workplace in
                try prepareLibrary(workplace)
                let file = try FileHandle(forUpdating: workplace.url("store.sqlite"))
                try file.seek(toOffset: 8 * 4096)
                try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
                try file.close()
            },
            opening: { workplace, configuration in
                try Library.rebuild(workplace.path, configuration)
            }, passesOverUnreadable: true),
    ]
}
