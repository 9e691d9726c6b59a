import HTTPTypes
import Testing

@testable import LarderClient

/// Directives of `Cache-Control`.
@Suite struct CacheControlTests {
    private static func control(_ lines: String...) -> CacheControl {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .cacheControl, value: line)) }
        return CacheControl(fields)
    }

    @Test(arguments: [
        ("max-age=60", 60), ("MAX-AGE=60", 60), ("public, max-age=60", 60),
        (" ,, max-age=60 ,", 60), ("max-age=\"60\"", 60), ("max-age=0060", 60),
        ("other=\"max-age=5\", max-age=60", 60), ("other=\"a\\\"max-age=5\", max-age=60", 60),
        ("max-age=99999999999999999999", CacheControl.mostSeconds),
        ("max-age=60, max-age=60", 60),
    ])
    func `seconds are read whatever stands around them`(_ line: String, _ seconds: Double) {
        #expect(Self.control(line).seconds("max-age") == seconds)
    }

    @Test(arguments: [
        "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age='60'", "max-age =60",
        "max-age= 60", "max-age=60s", "max-age=60 61", "max-age=60, max-age=61", "max-age=\"60",
        "max-age=٣",
    ])
    func `seconds that are none are 0`(_ line: String) {
        #expect(Self.control(line).seconds("max-age") == 0)
    }

    @Test(arguments: ["", "public", "s-maxage=60", "x=\"max-age=60\"", "xmax-age=60", "=max-age"])
    func `what does not stand there is not read`(_ line: String) {
        #expect(Self.control(line).seconds("max-age") == nil)
    }

    @Test func `several lines are one list`() {
        let control = Self.control("no-cache=\"a, b\"", "Must-Revalidate, immutable")
        #expect(control.has("no-cache") && control.has("must-revalidate"))
        #expect(control.isPlain("immutable") && !control.isPlain("no-cache"))
        #expect(!control.has("b") && !control.isEmpty)
        #expect(Self.control().isEmpty)
    }
}
