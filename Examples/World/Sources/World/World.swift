import Foundation
import Larder

/// Pulls the world from a server, stops the server, and answers from the store; `--offline` in a process that has
/// had no server.
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
        if options.offline {
            try await SecondStart(client: client(of: store, asking: nil)).run()
            return
        }
        let server = try await WorldServer()
        let client = client(of: store, asking: server)
        print("Store   \(options.store)\nServer  \(server.address) for \(WorldAPI.baseURL)\n")

        try await Pull(client: client).run().value
        print("")

        let unanswered = Unanswered(client: client)
        await unanswered.cancel(on: server)
        await server.stop()
        await unanswered.ask()
        try await unanswered.askStore()
        print("")

        try Questions(store: store).answerAll()
    }

    /// A client of Ada's: the server answers, and where that is away the store.
    private static func client(of store: Store, asking server: WorldServer?) -> Client {
        var configuration = Client.Configuration(
            transport: LocalTransport(server: server?.address))
        (configuration.account, configuration.fetchPolicy) = ("ada", .networkFirst())
        return Client(baseURL: WorldAPI.baseURL, store: store, configuration: configuration)
    }
}
