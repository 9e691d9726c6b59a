import Foundation

/// What the command line asks for.
struct Options {
    static let usage = """
        usage: World [--store PATH] [--reset | --offline]

          --store PATH  where the store lies; World.sqlite in this folder if not given
          --reset       removes the store first
          --offline     starts no server, and asks for what an earlier run has pulled
        """

    var store = Self.path("World.sqlite")
    var reset = false
    var offline = false
    var help = false

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--store":
                guard let path = arguments.next() else { throw UsageError("--store needs a path") }
                store = Self.path(path)
            case "--reset": reset = true
            case "--offline": offline = true
            case "--help", "-h": help = true
            default: throw UsageError("\(argument) is not an option")
            }
        }
        if offline, reset { throw UsageError("without a server nothing fills the store again") }
    }

    /// Removes the store's file and those that SQLite keeps beside it.
    func removeStore() throws {
        for suffix in ["", "-wal", "-shm"] {
            guard FileManager.default.fileExists(atPath: store + suffix) else { continue }
            try FileManager.default.removeItem(atPath: store + suffix)
        }
    }

    private static func path(_ path: String) -> String {
        URL(filePath: path).path(percentEncoded: false)
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
        description = "\(problem); see --help."
    }
}
