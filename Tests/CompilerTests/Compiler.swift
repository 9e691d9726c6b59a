import Foundation
import TestProgram

/// The compiler, which type-checks files against the modules that were built for the tests.
struct Compiler {
    /// What an expression may cost: some twenty times what the compiler's usual answer takes, and
    /// a number that neither the machine nor what runs beside it changes.
    static let scopeLimit = 20_000

    /// The processor's time, in milliseconds, that an expression or a function may take.
    ///
    /// The wall clock doesn't count, but what runs beside it takes the processor's caches, and
    /// machines differ: the slowest takes half a second with nothing beside it, and took twice as
    /// long under load.
    static let timeLimit = 5_000

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let program = TestProgram(onPathAs: "swiftc")

    /// Whether there is a compiler; the tests are built without one where it was elsewhere.
    static var isThere: Bool { program != nil }

    /// What Xcode gives the module of a new app.
    private static let isolation = [
        "-default-isolation", "MainActor",
        "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
        "-enable-upcoming-feature", "InferIsolatedConformances",
    ]

    /// Type-checks files as one module, which may be isolated to the main actor, and returns what
    /// the compiler says about them.
    static func check(_ files: [URL], isolated: Bool = false) async throws -> [Diagnostic] {
        guard let program else { throw Failure(description: "There is no swiftc on the PATH.") }
        let build = try Build()
        var arguments = [
            "-typecheck", "-wmo", "-parse-as-library", "-swift-version", "6",
            "-module-name", "Fixtures", "-diagnostic-style", "llvm",
            "-I", build.modules, "-load-plugin-executable", build.plugin,
            "-module-cache-path", build.moduleCache,
        ]
        for library in ["CSQLite", "CCurl"] {
            let map = Fixture.package.appending(path: "Sources/\(library)/module.modulemap")
            arguments += ["-Xcc", "-fmodule-map-file=\(map.path(percentEncoded: false))"]
        }
        for limit in [
            "-solver-scope-threshold=\(scopeLimit)",
            "-warn-long-expression-type-checking=\(timeLimit)",
            "-warn-long-function-bodies=\(timeLimit)",
        ] {
            arguments += ["-Xfrontend", limit]
        }
        if isolated { arguments += isolation }
        let outcome = try await program.run(
            arguments + files.map { $0.path(percentEncoded: false) })
        let diagnostics = Diagnostic.all(in: outcome.errors)
        let hasErrors = diagnostics.contains { $0.kind == .error }
        // A crash, or an option that it doesn't know, is about no line of a file.
        guard hasErrors == (outcome.status != 0) else {
            throw Failure(description: "swiftc ended with \(outcome.status): \(outcome.errors)")
        }
        return diagnostics
    }

    /// The places of what was built.
    private struct Build {
        let modules: String
        let plugin: String
        let moduleCache: String

        /// Finds the folder of the tests' own build; modules may be built for the host, too, beside
        /// a macro's tests, and the newest are those that were built with the tests.
        init() throws {
            let manager = FileManager.default
            for folder in TestProgram.buildFolders.map({ $0.resolvingSymlinksInPath() }) {
                let newest = ["Modules", "Modules-tool"]
                    .map { folder.appending(path: $0) }
                    .compactMap { modules -> (URL, Date)? in
                        let larder = [
                            "Larder", "LarderClient", "LarderObjectStore", "LarderPromises",
                        ]
                        let dates = larder.map { name in
                            let path = modules.appending(path: "\(name).swiftmodule").path()
                            let attributes = try? manager.attributesOfItem(atPath: path)
                            return attributes?[.modificationDate] as? Date
                        }
                        guard !dates.contains(nil) else { return nil }
                        return dates.compactMap { $0 }.max().map { (modules, $0) }
                    }
                    .max { $0.1 < $1.1 }
                let plugin = ["LarderEntityMacros-tool", "LarderEntityMacros"]
                    .map { folder.appending(path: $0).path(percentEncoded: false) }
                    .first(where: manager.isExecutableFile)
                guard let newest, let plugin else { continue }
                modules = newest.0.path(percentEncoded: false)
                self.plugin = "\(plugin)#LarderEntityMacros"
                // One of its own: the build's refuses whoever comes to it by another path.
                moduleCache =
                    folder.appending(path: "CompilerTests.cache").path(percentEncoded: false)
                return
            }
            throw Failure(
                description:
                    "Larder's modules are not beside the tests: \(TestProgram.buildFolders)")
        }
    }
}
