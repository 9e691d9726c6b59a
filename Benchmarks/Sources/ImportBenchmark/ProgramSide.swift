import Foundation

/// A program of its own that prints `first … total SECONDS s` and `again … total SECONDS s`.
struct ProgramSide: Side {
    let name: String
    let program: String
    let arguments: [String]

    func run(file: URL, folder: URL) throws -> Times {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments =
            arguments + [file.path(), folder.appending(path: "program.sqlite").path()]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let totals = text.matches(of: /total ([0-9.]+)/).compactMap { Double($0.1) }
        guard process.terminationStatus == 0, totals.count == 2 else {
            throw Failure(program: program, output: text)
        }
        return Times(first: totals[0], again: totals[1])
    }

    struct Failure: Error {
        let program: String
        let output: String
    }
}
