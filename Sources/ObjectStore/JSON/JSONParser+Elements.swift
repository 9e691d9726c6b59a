extension JSONParser {
    /// Some of an array's elements, as an array of their own that begins at the first node.
    struct Elements {
        /// The nodes, which the caller must deallocate.
        let nodes: UnsafePointer<UInt64>
        let count: Int
        /// The offset of the element that follows, nil where the array ends.
        let next: Int?
    }

    /// Parses the elements of an array from the position on, until their text reaches a limit.
    ///
    /// - Parameter limit: How many bytes are enough; there is always one element.
    consuming func parseElements(limit: Int) throws(JSONError) -> Elements {
        // All is inlined into one loop over a variable of its own, as for a document.
        var parser = self
        do {
            let next = try parser.parseUntil(parser.position &+ limit)
            let count = Int(truncatingIfNeeded: (parser.nodes[0] &>> 32) & 0xFFF_FFFF)
            return Elements(nodes: UnsafePointer(parser.nodes), count: count, next: next)
        } catch {
            parser.nodes.deallocate()
            throw error
        }
    }

    @inline(__always)
    private mutating func parseUntil(_ limit: Int) throws(JSONError) -> Int? {
        let start = position
        outerLevels.append(level)
        floor = 1
        level = Level(node: 0, isObject: false, count: 1)
        append(0)
        append(0)
        while true {
            repeat {
                try parseValue()
            } while try parseSeparator()
            skipWhitespace()
            guard position < end else { throw error(.unexpectedEnd, isBehindValue: true) }
            let byte = bytes[position]
            guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
                throw error(.unexpectedCharacter, isBehindValue: true)
            }
            position &+= 1
            if byte == UInt8(ascii: ",") && position < limit {
                level.count &+= 1
                continue
            }
            nodes[0] = JSONTape.container(.array, count: level.count, next: nodeCount)
            nodes[1] = JSONTape.extent(start..<position)
            return byte == UInt8(ascii: ",") ? position : nil
        }
    }
}
