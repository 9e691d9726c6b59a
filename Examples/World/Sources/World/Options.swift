import Foundation

/// What the command line asks for.
struct Options {
    static let usage = """
        usage: World [--store PATH] [--reset]

          --store PATH  where the store lies; World.sqlite in this folder if not given
          --reset       removes the store first
        """

    var store = URL(filePath: "World.sqlite")
    var reset = false
    var help = false

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--store":
                guard let path = arguments.next() else { throw UsageError("--store needs a path") }
                store = URL(filePath: path)
            case "--reset": reset = true
            case "--help", "-h": help = true
            default: throw UsageError("\(argument) is not an option")
            }
        }
    }

    /// Removes the store's file and those that SQLite keeps beside it.
    func removeStore() throws {
        for suffix in ["", "-wal", "-shm"] {
            let path = store.path() + suffix
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.removeItem(atPath: path)
        }
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
        description = "\(problem); see --help."
    }
}
