import Foundation

/// A line of the compiler's about a line of a file.
struct Diagnostic: CustomStringConvertible {
    enum Kind: String {
        case error, warning
    }

    let kind: Kind
    /// The file's name, and the line's number; of something in a macro's expansion, where the macro
    /// stands.
    let file: String
    let line: Int
    let message: String

    var description: String { "\(file):\(line): \(kind.rawValue): \(message)" }

    /// Reads what the compiler wrote in the style `llvm`.
    static func all(in output: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        // What a macro's expansion holds is said about a file of its own, and then, in a note,
        // where that expansion stands.
        var expanded: (kind: Kind, message: String)?
        for line in output.split(separator: "\n") {
            guard let found = line.firstMatch(of: /(\/.+\.swift):(\d+):\d+: (\w+): (.+)$/),
                let number = Int(found.2)
            else { continue }
            let file = URL(filePath: String(found.1)).lastPathComponent
            let message = String(found.4)
            if let kind = Kind(rawValue: String(found.3)) {
                if file.hasPrefix("@__swiftmacro") {
                    expanded = (kind, message)
                } else {
                    diagnostics.append(
                        Diagnostic(kind: kind, file: file, line: number, message: message))
                }
            } else if let (kind, message) = expanded, line.contains(": note: in expansion of macro")
            {
                diagnostics.append(
                    Diagnostic(kind: kind, file: file, line: number, message: message))
                expanded = nil
            }
        }
        return diagnostics
    }
}
