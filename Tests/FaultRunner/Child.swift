import Foundation

/// This program, run once more as a process of its own, which is killed whenever it suits.
struct Child {
    private let process: pid_t
    private let output: Int32

    /// Starts it with arguments; what it writes can be read as it comes.
    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Wrong("no pipe") }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        defer { posix_spawn_file_actions_destroy(&actions) }
        let program = CommandLine.arguments[0]
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id: pid_t = 0
        let result = posix_spawn(&id, program, &actions, nil, &words, environ)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            throw Wrong("\(program) could not be started: \(result)")
        }
        process = id
        output = ends[0]
    }

    /// The next line that it writes, nil once it has ended.
    func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Waits for its end.
    func end() {
        while line() != nil {}
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(output)
    }

    /// Kills it; returns the lines that it had written and nobody had read.
    func kill() -> [String] {
        Foundation.kill(process, SIGKILL)
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(output)
        return lines
    }
}

/// Says a line to who has begun this process, at once.
func say(_ word: String) {
    let line = [UInt8]("\(word)\n".utf8)
    _ = write(1, line, line.count)
}
