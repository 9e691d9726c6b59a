import Foundation
import LarderClient

/// Kills a process that keeps cookies in a file, at random moments, and looks at what is in the file.
struct CookieRun {
    private static let names = (0..<20).map { "c\($0)" }
    private let workplace: Workplace
    private var generator: Generator

    init(seed: UInt64) throws {
        workplace = try Workplace()
        generator = Generator(state: seed)
    }

    /// Kills those who keep cookies; returns how many times all of them were said to be kept.
    ///
    /// - Throws: `Wrong` where the file lacks what was said to be kept, `FileError` where it is none of a jar.
    mutating func kill(_ count: Int) throws -> Int {
        let file = workplace.url("cookies.json")
        var (last, said) = (0, 0)
        for round in 1...count {
            let child = try Child(["keep-cookies", file.path()])
            var lines: [String] = []
            for _ in 0..<generator.next(below: 6) {
                if let line = child.line() { lines.append(line) }
            }
            spin(microseconds: generator.next(below: 6_000))
            lines += child.kill()
            let kept = lines.compactMap { Int($0) }
            said += kept.count
            last = kept.last ?? last
            // Those of the next number are kept as they are set.
            let numbers = Self.numbers(in: try CookieJar(file: file))
            guard numbers.allSatisfy({ $0 == last || $0 == last + 1 }) else {
                throw Wrong("kill \(round), after \(last): \(numbers)")
            }
            last = numbers.min() ?? last
        }
        guard said > 0 else { throw Wrong("nobody has kept anything") }
        return said
    }

    /// The values of the cookies, 0 where there is none.
    private static func numbers(in jar: CookieJar) -> [Int] {
        let values = Dictionary(
            jar.cookies.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        return names.map { name in values[name].flatMap { Int($0) } ?? 0 }
    }

    // MARK: The process that is killed

    /// Sets all cookies to one number after the other, and says each once they are kept.
    static func keep(_ path: String) throws {
        let jar = try CookieJar(file: URL(filePath: path))
        guard let site = URL(string: "https://example.com/") else { throw Wrong("no URL") }
        var number = numbers(in: jar).min() ?? 0
        while true {
            number += 1
            for name in names { jar.set("\(name)=\(number); Max-Age=86400", from: site) }
            try jar.save()
            say("\(number)")
        }
    }
}
