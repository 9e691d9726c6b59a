import Foundation
import LarderObjectStore

/// Something that is done to a store while its disk or memory fails: opening it, and steps of which
/// each is one transaction or none.
struct Scenario: Sendable {
    typealias Opening = @Sendable (Workplace, Store.Configuration) throws -> Store
    typealias Step = @Sendable (Store, Workplace) throws -> Void

    let name: String
    /// Whether it goes around what can't be read, so that such a fault is no failure.
    let passesOverUnreadable: Bool
    /// Makes what is there before it.
    let prepare: @Sendable (Workplace) throws -> Void
    private let open: Opening
    private let steps: [Step]

    init(
        _ name: String,
        after prepare: @escaping @Sendable (Workplace) throws -> Void = prepareLibrary,
        opening open: @escaping Opening = { try Library.open($0.path, $1) },
        steps: [Step] = [], passesOverUnreadable: Bool = false
    ) {
        self.name = name
        self.passesOverUnreadable = passesOverUnreadable
        self.prepare = prepare
        self.open = open
        self.steps = steps
    }

    /// A scenario of one step on a library.
    init(_ name: String, step: @escaping Step) {
        self.init(name, steps: [step])
    }

    /// Does it, and closes the store.
    ///
    /// - Parameters:
    ///   - survivesPowerLoss: How the store is opened.
    ///   - progress: Called when the store is open, with 1, and after each step.
    func run(
        in workplace: Workplace, survivesPowerLoss: Bool = false,
        progress: (Int) throws -> Void = { _ in }
    ) throws {
        var configuration = Store.Configuration.impatient
        configuration.survivesPowerLoss = survivesPowerLoss
        let store = try open(workplace, configuration)
        do {
            try progress(1)
            for (index, step) in steps.enumerated() {
                try step(store, workplace)
                try progress(index + 2)
            }
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// A store of 60 books.
    static let prepareLibrary: @Sendable (Workplace) throws -> Void = { workplace in
        let store = try Library.open(workplace.path)
        try store.import(Many<Book>.self, from: Library.books(0..<60))
        try store.close()
    }

    /// No store yet.
    static let prepareNothing: @Sendable (Workplace) throws -> Void = { _ in }

    static let all = imports + writings + searches + observations + responses + files
}
