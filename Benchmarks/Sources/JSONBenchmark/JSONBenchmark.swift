import Foundation
import Larder

/// Measures the JSON document alone, in MB/s, beside Foundation and other programs.
///
/// `Scripts/json-benchmark` makes the file, builds the program to compare with and runs this:
/// `JSONBenchmark FILE ROUNDS [NAME=PROGRAM]…`. A program prints `parse SECONDS s` for the file it
/// is given. The sides take turns, the bytes being in memory; ratios are Larder's speed over the
/// other's.
@main
enum JSONBenchmark {
    private struct Side {
        let name: String
        /// Parses the file once and returns the seconds.
        let run: () throws -> Double
    }

    /// What JSONDecoder makes of the same issues.
    private struct Issue: Decodable {
        struct User: Decodable {
            enum CodingKeys: String, CodingKey {
                case id, login, avatarURL = "avatar_url", type, isAdmin = "site_admin"
            }

            let id: Int, login: String, avatarURL: String, type: String, isAdmin: Bool
        }
        struct Label: Decodable { let id: Int, name: String, color: String, `default`: Bool }

        enum CodingKeys: String, CodingKey {
            case id, number, title, body, state, comments, score, locked, user, labels
            case createdAt = "created_at"
        }

        let id: Int, number: Int, title: String, body: String?, state: String, comments: Int
        let score: Double, locked: Bool, createdAt: String, user: User, labels: [Label]
    }

    struct Failure: Error {
        let program: String
        let output: String
    }

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let rounds = Int(arguments[1]), rounds > 0 else {
            print("usage: JSONBenchmark FILE ROUNDS [NAME=PROGRAM]…")
            exit(2)
        }
        let data = try Data(contentsOf: URL(filePath: arguments[0]))
        var sides = [
            Side(name: "Larder") { try seconds { _ = try JSONDocument(data) } },
            Side(name: "JSONSerialization") {
                try seconds { _ = try JSONSerialization.jsonObject(with: data) }
            },
            Side(name: "JSONDecoder") {
                try seconds { _ = try JSONDecoder().decode([Issue].self, from: data) }
            },
        ]
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            sides.append(
                Side(name: parts[0]) { try run(parts.last ?? "", with: arguments[0]) })
        }
        var times = sides.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, side) in sides.enumerated() {
                let time = try side.run()
                // The first round warms caches up.
                if round > 0 { times[index].append(time) }
            }
        }
        report(sides, times, size: Double(data.count) / 1e6)
    }

    private static func run(_ program: String, with file: String) throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let time = text.firstMatch(of: /parse ([0-9.]+)/).flatMap({ Double($0.1) }) else {
            throw Failure(program: program, output: text)
        }
        return time
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func report(_ sides: [Side], _ times: [[Double]], size: Double) {
        print("JSON, \(Int(size)) MB")
        let own = size / median(times[0])
        for (index, (side, times)) in zip(sides, times).enumerated() {
            let speed = size / median(times)
            let spread = "\(Int(size / (times.max() ?? 1)))…\(Int(size / (times.min() ?? 1)))"
            let ratio = index == 0 ? "" : String(format: "  ratio %.2f", own / speed)
            let name = side.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            print("  \(name) \(Int(speed)) MB/s (\(spread))\(ratio)")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
}
