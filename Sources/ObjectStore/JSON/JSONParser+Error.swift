extension JSONParser {
    /// Describes what is wrong at the position; behind a value it is the container's concern.
    @inline(never)
    func error(_ reason: JSONError.Reason, isBehindValue: Bool = false) -> JSONError {
        let (line, column) = place
        let levels = outerLevels.dropFirst() + (outerLevels.isEmpty ? [] : [level])
        return JSONError(
            reason: reason, offset: position, line: line, column: column,
            path: "$" + (isBehindValue ? levels.dropLast() : levels).map(component).joined())
    }

    /// The number of bytes that are searched at once for the ends of lines.
    private static var pieceSize: Int { 1 << 20 }

    /// The line and the column of the position.
    private var place: (line: Int, column: Int) {
        var line = 1
        var lineStart = 0
        let end = min(position, end)
        for start in stride(from: 0, to: end, by: Self.pieceSize) {
            let part = start..<min(start + Self.pieceSize, end)
            for offset in part where bytes[offset] == 0x0A {
                line += 1
                lineStart = offset + 1
            }
            deferral?.release(part)
        }
        return (line, position - lineStart + 1)
    }

    /// The step from a container to the value that is being read.
    private func component(of level: Level) -> String {
        guard level.isObject else { return "[\(level.count - 1)]" }
        guard level.key >= 0 else { return "" }
        return JSONTape.component(JSONTape(bytes: bytes, nodes: nodes).string(level.key))
    }
}
