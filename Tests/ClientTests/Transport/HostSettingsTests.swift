import Testing

@testable import LarderClient

@Suite struct HostSettingsTests {
    @Test func `a host's own settings come before those of the longest name it is below`() throws {
        let settings = try HostSettings([
            "example.com": 1, "*.example.com": 2, "*.api.example.com": 3, "127.0.0.1": 4,
            "::1": 5,
        ])
        let found = [
            "example.com", "EXAMPLE.com.", "a.example.com", "api.example.com", "a.api.example.com",
            "127.0.0.1", "[::1]", "0:0:0:0:0:0:0:1", "anexample.com", "com",
        ].map { settings[HostName($0)] }
        #expect(found == [1, 1, 2, 2, 3, 4, 5, 5, nil, nil])
    }

    @Test(arguments: [
        ["https://a"], ["a/b"], ["a b"], [""], ["a:1"], ["*.127.0.0.1"], ["%61"], ["a", "A"],
        ["*.a", "*.A"], ["a..b"], ["*"],
    ])
    func `what is no name, or one in two spellings, is refused`(_ names: [String]) {
        let settings = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        let error = #expect(throws: TransportError.self) { try HostSettings(settings) }
        #expect(error?.reason == .invalidRequest)
    }

    @Test(arguments: [
        ("0x7f.1", true), ("127.1", true), ("2130706433", true), ("127.0.0.1", false),
        ("a.0xb", true), ("example.com", false), ("1.example", false), ("::1", false), ("", false),
    ])
    func `a name that some read as an address is known`(_ text: String, _ isOne: Bool) {
        #expect(HostName(text).isAddressInOtherForm == isOne)
    }
}
