import Testing

@testable import LarderObjectStore

struct FingerprintTests {
    private func print(_ values: String) throws -> Fingerprint {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT \(values)")
        let hasRow = try statement.step()
        #expect(hasRow)
        return withExtendedLifetime(connection) {
            Fingerprint(statement.pointer, from: 1, count: 3)
        }
    }

    @Test func `is the same for the same values`() throws {
        for values in ["0, 1, 2", "0, 'a', NULL", "0, x'00', 1.5", "0, '', x''"] {
            #expect(try print(values) == print(values))
        }
    }

    @Test func `leaves out what comes before`() throws {
        #expect(try print("0, 1, 2") == print("9, 1, 2"))
    }

    @Test func `tells values and types apart`() throws {
        let rows = [
            "0, 1, 2", "0, 2, 1", "0, 1.0, 2", "0, '1', 2", "0, x'31', 2", "0, NULL, 2",
            "0, 'ab', 'c'", "0, 'a', 'bc'", "0, '', 'abc'", "0, 'abc', ''", "0, NULL, NULL",
            "0, 0, 0", "0, 0.0, 0", "0, -0.0, 0", "0, x'', ''", "0, '', x''",
        ]
        // SQLite makes -0.0 of a literal to 0.0.
        #expect(Set(try rows.map(print)).count >= rows.count - 1)
    }
}
