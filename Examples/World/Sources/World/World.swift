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
        let store = try Store(
            at: options.store,
            entities: Continent.self, Country.self, City.self, Person.self)
        let server = try await WorldServer()
        print("Store   \(options.store)\nServer  \(server.baseURL)\n")

        try await Pull(baseURL: server.baseURL, store: store).run().value
        print("")

        let unanswered = Unanswered(client: Client(baseURL: server.baseURL, store: store))
        await unanswered.cancel(on: server)
        await server.stop()
        await unanswered.ask()
        try await unanswered.askStore()
        print("")

        try Questions(store: store).answerAll()
    }
}
