/// Writes the tape of a document in one pass over its bytes, by RFC 8259 and nothing beyond it.
///
/// No byte outside the document is read.
struct JSONParser {
    /// A container that has been opened and not closed.
    struct Level {
        var node: Int
        var isObject: Bool
        /// The number of values that have been begun.
        var count = 0
        /// The node of the key that was read last.
        var key = -1
    }

    let bytes: UnsafePointer<UInt8>
    let end: Int
    private let depthLimit: Int
    let deferral: JSONDeferral?
    private let deferralLimit: Int
    var position = 0
    var nodes: UnsafeMutablePointer<UInt64>
    var nodeCount = 0
    private var capacity: Int
    /// The container that is being read; the document itself counts as an array of one value.
    var level = Level(node: -1, isObject: false, count: 1)
    /// The containers around it.
    var outerLevels: [Level] = []
    /// The number of levels around the value that is to be parsed.
    var floor = 0
    private var depth = 0

    /// A parser of a document, or of what stands at a position in one.
    ///
    /// - Parameter deferral: Decides which arrays are left for later; without one, none are.
    init(
        bytes: UnsafePointer<UInt8>, count: Int, depthLimit: Int, position: Int = 0,
        deferral: JSONDeferral? = nil
    ) {
        self.bytes = bytes
        end = count
        self.depthLimit = depthLimit
        self.position = position
        self.deferral = deferral
        deferralLimit = deferral?.limit ?? Int.max
        // Pages that are never written are never allocated: better too many than a copy.
        capacity = deferral == nil ? count / 4 + 16 : 1 << 16
        nodes = .allocate(capacity: capacity)
        outerLevels.reserveCapacity(64)
    }

    /// Parses the document and hands over its nodes, which the caller must deallocate, and how
    /// deeply its containers are nested.
    consuming func parse() throws(JSONError) -> (nodes: UnsafePointer<UInt64>, depth: Int) {
        // All is inlined into one loop over a variable of its own, so that it stays in registers.
        var parser = self
        do {
            try parser.parseDocument()
            return (UnsafePointer(parser.nodes), parser.depth)
        } catch {
            parser.nodes.deallocate()
            throw error
        }
    }

    @inline(__always)
    private mutating func parseDocument() throws(JSONError) {
        if end > Int(UInt32.max) { throw error(.tooLarge) }
        // A byte order mark may be ignored (RFC 8259, section 8.1).
        if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        repeat {
            try parseValue()
        } while try parseSeparator()
        skipWhitespace()
        if position < end { throw error(.trailingContent) }
    }

    // MARK: Values

    /// Parses a scalar or opens a container; a container's first key is read with it.
    @inline(__always)
    mutating func parseValue() throws(JSONError) {
        while true {
            skipWhitespace()
            guard position < end else { throw error(.unexpectedEnd) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                return try parseString()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return try parseNumber()
            case UInt8(ascii: "{"):
                try open(isObject: true)
                if try closeIfEmpty(UInt8(ascii: "}")) { return }
                try parseKey()
            case UInt8(ascii: "["):
                try open(isObject: false)
                if try closeIfEmpty(UInt8(ascii: "]")) { return }
            case UInt8(ascii: "t"):
                return try parseLiteral("true", .true)
            case UInt8(ascii: "f"):
                return try parseLiteral("false", .false)
            case UInt8(ascii: "n"):
                return try parseLiteral("null", .null)
            default:
                throw error(.unexpectedCharacter)
            }
        }
    }

    /// Parses what follows a value: closing brackets, then a comma and an object's next key.
    ///
    /// Returns false behind the outermost value.
    @inline(__always)
    mutating func parseSeparator() throws(JSONError) -> Bool {
        while outerLevels.count > floor {
            skipWhitespace()
            guard position < end else { throw error(.unexpectedEnd, isBehindValue: true) }
            let byte = bytes[position]
            if byte == UInt8(ascii: ",") {
                position &+= 1
                level.count &+= 1
                if level.isObject {
                    try parseKey()
                } else if isDeferred {
                    forgetElements()
                }
                return true
            }
            guard byte == (level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw error(.unexpectedCharacter, isBehindValue: true)
            }
            try close()
        }
        return false
    }

    @inline(__always)
    private mutating func parseKey() throws(JSONError) {
        level.key = -1
        skipWhitespace()
        guard position < end else { throw error(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
        let key = nodeCount
        try parseString()
        level.key = key
        skipWhitespace()
        guard position < end else { throw error(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: ":") else { throw error(.unexpectedCharacter) }
        position &+= 1
    }

    @inline(__always)
    private mutating func open(isObject: Bool) throws(JSONError) {
        guard outerLevels.count < depthLimit else { throw error(.tooDeep(limit: depthLimit)) }
        outerLevels.append(level)
        level = Level(node: nodeCount, isObject: isObject)
        depth = max(depth, outerLevels.count)
        append(0)
        append(UInt64(truncatingIfNeeded: position))
        position &+= 1
    }

    /// Closes a container without values, or begins its first.
    @inline(__always)
    private mutating func closeIfEmpty(_ bracket: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        guard position < end, bytes[position] == bracket else {
            level.count = 1
            return false
        }
        try close()
        return true
    }

    @inline(__always)
    private mutating func close() throws(JSONError) {
        position &+= 1
        if !level.isObject, isDeferred { leaveForLater() }
        if level.count > JSONTape.maximumLength || nodeCount > Int32.max {
            position &-= 1
            throw error(.tooLarge)
        }
        let kind = level.isObject ? JSONNodeKind.object : .array
        nodes[level.node] = JSONTape.container(kind, count: level.count, next: nodeCount)
        let start = nodes[level.node &+ 1]
        nodes[level.node &+ 1] = (UInt64(truncatingIfNeeded: position) &- start) &<< 32 | start
        level = outerLevels.removeLast()
    }

    // MARK: Arrays that are left for later

    /// Whether the array that is being read has become too long to stay on the tape.
    @inline(__always)
    private var isDeferred: Bool {
        position &- Int(truncatingIfNeeded: nodes[level.node &+ 1]) > deferralLimit
    }

    /// Takes the elements that have been read off the tape.
    @inline(__always)
    private mutating func forgetElements() {
        nodeCount = level.node &+ 2
        deferral?.forget(behind: level.node, upTo: position)
    }

    /// Takes all elements of an array that ends here off the tape.
    @inline(__always)
    private mutating func leaveForLater() {
        guard level.count > 0 else { return }
        nodeCount = level.node &+ 2
        let start = Int(truncatingIfNeeded: nodes[level.node &+ 1]) &+ 1
        deferral?.add(
            JSONDeferredArray(node: level.node, start: start, end: position, count: level.count))
        level.count = min(level.count, JSONTape.maximumLength)
    }

    // MARK: Scalars

    @inline(__always)
    private mutating func parseLiteral(
        _ literal: StaticString, _ kind: JSONNodeKind
    ) throws(JSONError) {
        let start = position
        for index in 0..<literal.utf8CodeUnitCount {
            guard position < end else { throw error(.unexpectedEnd) }
            guard bytes[position] == literal.utf8Start[index] else {
                throw error(.unexpectedCharacter)
            }
            position &+= 1
        }
        append(kind, offset: start, length: position &- start)
    }

    @inline(__always)
    private mutating func parseNumber() throws(JSONError) {
        let start = position
        var kind = JSONNodeKind.integer
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if position < end, bytes[position] == UInt8(ascii: "0") {
            position &+= 1
        } else {
            try skipDigits()
        }
        if position < end, bytes[position] == UInt8(ascii: ".") {
            kind = .decimal
            position &+= 1
            try skipDigits()
        }
        if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            position &+= 1
            if position < end,
                bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
            {
                position &+= 1
            }
            try skipDigits()
        }
        let length = position &- start
        if length > JSONTape.maximumLength { throw error(.tooLarge) }
        append(kind, offset: start, length: length)
    }

    /// Skips one digit or more.
    @inline(__always)
    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
        if position == start { throw error(position < end ? .invalidNumber : .unexpectedEnd) }
    }

    @inline(__always)
    private mutating func parseString() throws(JSONError) {
        position &+= 1
        let start = position
        var scanner = JSONStringScanner(bytes: bytes, end: end, position: position)
        let reason = scanner.scan()
        position = scanner.position
        if let reason { throw error(reason) }
        let length = position &- start
        if length > JSONTape.maximumLength { throw error(.tooLarge) }
        append(scanner.hasEscapes ? .escapedString : .plainString, offset: start, length: length)
        position &+= 1
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < end {
            let byte = bytes[position]
            if byte > 0x20 { return }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
        }
    }

    // MARK: The tape

    @inline(__always)
    private mutating func append(_ kind: JSONNodeKind, offset: Int, length: Int) {
        append(
            UInt64(kind.rawValue) &<< 60 | UInt64(truncatingIfNeeded: length) &<< 32
                | UInt64(truncatingIfNeeded: offset))
    }

    @inline(__always)
    mutating func append(_ word: UInt64) {
        if nodeCount == capacity {
            nodes = moved(toHold: capacity * 2)
            capacity *= 2
        }
        nodes[nodeCount] = word
        nodeCount &+= 1
    }

    @inline(never)
    private func moved(toHold capacity: Int) -> UnsafeMutablePointer<UInt64> {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        larger.moveInitialize(from: nodes, count: nodeCount)
        nodes.deallocate()
        return larger
    }
}
