import Foundation
import Larder

/// Pulls the world from a server, stops the server, and answers from the store.
@main
enum World {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.help { return print(Options.usage) }
            let interrupt = Interrupt.handle()
            defer { interrupt.cancel() }
            try await run(options)
        } catch {
            FileHandle.standardError.write(Data("World: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        if options.reset { try options.removeStore() }
        let path = options.store.path()
        let store = try Store(
            at: path, entities: Continent.self, Country.self, City.self, Person.self)
        let server = try await WorldServer()
        print("Store   \(path)\nServer  \(server.baseURL)\n")

        try await Pull(baseURL: server.baseURL, store: store).run().value

        let unanswered = Unanswered(client: Client(baseURL: server.baseURL, store: store))
        print("\nA cancelled request ends in \(try await unanswered.cancelled(on: server)).")
        await server.stop()
        print("The server is gone: \(await unanswered.refused())\n")

        try Questions(store: store).answerAll()
    }
}
