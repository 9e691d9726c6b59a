/// A skeleton as bytes, such as in a file.
///
/// Numbers are written seven bits a byte, the lowest first, rows as their differences: of a list in the order of
/// its objects' numbers that is a byte for each.
extension ImportSkeleton {
    /// The version of the format, which bytes begin with; those with objects that are gone have the next one.
    private static var version: UInt64 { 6 }

    private enum Kind: UInt64 {
        case object, objects, others, element
    }

    /// The bytes of the skeleton.
    package var bytes: [UInt8] {
        var writer = Writer()
        let hasGone = digest != nil && !gone.isEmpty
        writer.write(hasGone ? Self.version + 1 : Self.version)
        writer.write(
            (isRestored ? 1 : 0) | (lists.isDocument ? 2 : 0) | (digest != nil ? 4 : 0))
        writer.write(lists.wholeScopes)
        writer.write(UInt64(lists.entities.count))
        for entity in lists.entities.sorted() { writer.write(entity) }
        writer.write(UInt64(parts.count))
        // Each once, as most parts are about the same few.
        var kinds: [String: UInt64] = [:]
        for part in parts {
            writer.write(UInt64(part.offset))
            if let known = kinds[part.kind] {
                writer.write(known)
            } else {
                writer.write(UInt64(kinds.count))
                kinds[part.kind] = UInt64(kinds.count)
                writer.write(part.kind)
            }
            switch part.content {
            case .object(let objects, let isInList):
                writer.write((isInList ? Kind.element : .object).rawValue)
                writer.write(objects)
            case .objects(let objects, let elementCount, let skipped):
                writer.write(Kind.objects.rawValue)
                writer.write(objects)
                writer.write(UInt64(elementCount))
                writer.write(skipped)
            case .others(let skipped):
                writer.write(Kind.others.rawValue)
                writer.write(skipped)
            }
        }
        writer.write(UInt64(nested.count))
        for nested in nested {
            writer.write(nested.kind)
            writer.write(nested.objects)
        }
        if let digest {
            writer.write(digest)
            writer.write(UInt64(named.count))
            for (entity, fields) in named.sorted(by: { $0.key < $1.key }) {
                writer.write(entity)
                writer.write(fields.columns.columns)
                writer.write(fields.lists.sorted())
            }
        }
        if hasGone {
            writer.write(UInt64(gone.count))
            for (kind, identities) in gone.sorted(by: { $0.key < $1.key }) {
                writer.write(kind)
                writer.write(identities)
            }
        }
        for (entity, rows) in fetched.sorted(by: { $0.key < $1.key }) {
            writer.write(entity)
            writer.write(Objects(rows: rows))
        }
        return writer.bytes
    }

    /// Reads a skeleton; nil where the bytes are none.
    package init?(bytes: [UInt8]) {
        var reader = Reader(bytes: bytes[...])
        guard let version = reader.number(), (Self.version...Self.version + 1).contains(version),
            let marks = reader.number(), let scopes = reader.number(),
            let listCount = reader.count()
        else { return nil }
        isRestored = marks & 1 != 0
        (lists.isDocument, lists.wholeScopes) = (marks & 2 != 0, scopes)
        for _ in 0..<listCount {
            guard let entity = reader.text() else { return nil }
            lists.entities.insert(entity)
        }
        guard let count = reader.count() else { return nil }
        var kinds: [String] = []
        for _ in 0..<count {
            guard let offset = reader.number(), let offset = Int(exactly: offset),
                let kind = reader.kind(among: &kinds),
                let content = Self.content(&reader)
            else { return nil }
            parts.append(Part(offset: offset, kind: kind, content: content))
        }
        guard let nestedCount = reader.count() else { return nil }
        for _ in 0..<nestedCount {
            guard let kind = reader.text(), let objects = reader.objects() else { return nil }
            nested.append(Nested(kind: kind, objects: objects))
        }
        if marks & 4 != 0 {
            guard let sum = reader.number(), let namedCount = reader.count() else { return nil }
            digest = sum
            for _ in 0..<namedCount {
                guard let entity = reader.text(), let columns = reader.indices(),
                    let lists = reader.indices(),
                    columns.allSatisfy({ $0 < EntityDescription.maximumColumnCount })
                else { return nil }
                var fields = NamedFields(lists: Set(lists))
                for column in columns { fields.columns.insert(column) }
                named[entity] = fields
            }
        }
        if version > Self.version {
            guard let kindCount = reader.count() else { return nil }
            for _ in 0..<kindCount {
                guard let kind = reader.text(), let found = reader.identities() else { return nil }
                gone[kind] = found
            }
        }
        while !reader.bytes.isEmpty {
            guard let entity = reader.text(), let objects = reader.objects() else { return nil }
            fetched[entity] = objects.rows
        }
    }

    private static func content(_ reader: inout Reader) -> Content? {
        guard let kind = reader.number().flatMap(Kind.init) else { return nil }
        switch kind {
        case .object, .element:
            return reader.objects().map { .object($0, isInList: kind == .element) }
        case .objects:
            guard let objects = reader.objects(),
                let elementCount = reader.number().flatMap({ Int(exactly: $0) }),
                let skipped = reader.skipped()
            else { return nil }
            return .objects(objects, elementCount: elementCount, skipped: skipped)
        case .others: return reader.skipped().map { .others(skipped: $0) }
        }
    }
}

extension ImportSkeleton {
    private struct Writer {
        var bytes: [UInt8] = []

        mutating func write(_ number: UInt64) {
            var rest = number
            while rest > 0x7F {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }

        mutating func write(_ text: String) {
            write(UInt64(text.utf8.count))
            bytes += text.utf8
        }

        mutating func write(_ indices: [Int]) {
            write(UInt64(indices.count))
            for index in indices { write(UInt64(index)) }
        }

        mutating func write(_ objects: Objects) {
            write(objects.rows)
            write(objects.references.sorted())
            write(UInt64(objects.identities.first?.count ?? 0))
            for value in objects.identities.joined() { write(value) }
        }

        mutating func write(_ identities: [[SQLValue]]) {
            write(UInt64(identities.count))
            for identity in identities {
                write(UInt64(identity.count))
                for value in identity { write(value) }
            }
        }

        private mutating func write(_ rows: [Int64]) {
            write(UInt64(rows.count))
            var last: Int64 = 0
            for row in rows {
                write(signed: row &- last)
                last = row
            }
        }

        /// The sign is the lowest bit, so that small numbers are short, either way.
        private mutating func write(signed number: Int64) {
            write(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
        }

        private mutating func write(_ value: SQLValue) {
            switch value {
            case .null: bytes.append(0)
            case .integer(let number):
                bytes.append(1)
                write(signed: number)
            case .real(let number):
                bytes.append(2)
                write(number.bitPattern)
            case .text(let text):
                bytes.append(3)
                write(text)
            case .blob(let blob):
                bytes.append(4)
                write(UInt64(blob.count))
                bytes += blob
            }
        }

        mutating func write(_ skipped: [Skipped]) {
            write(UInt64(skipped.count))
            for one in skipped {
                write(UInt64(one.index))
                write(one.element.path)
                write(Skipped.keptReason)
            }
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func number() -> UInt64? {
            var number: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard let byte = bytes.popFirst() else { return nil }
                let bits = UInt64(byte & 0x7F)
                guard (bits << shift) >> shift == bits else { return nil }
                number |= bits << shift
                if byte & 0x80 == 0 { return number }
            }
            return nil
        }

        /// A number of things that are still to come, each of which takes a byte at least.
        mutating func count() -> Int? {
            guard let number = number(), number <= UInt64(bytes.count) else { return nil }
            return Int(number)
        }

        mutating func text() -> String? {
            guard let count = count() else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return String(validating: bytes.prefix(count), as: UTF8.self)
        }

        mutating func kind(among known: inout [String]) -> String? {
            guard let number = number() else { return nil }
            if number < UInt64(known.count) { return known[Int(number)] }
            guard number == UInt64(known.count), let name = text() else { return nil }
            known.append(name)
            return name
        }

        mutating func indices() -> [Int]? {
            guard let count = count() else { return nil }
            var indices: [Int] = []
            for _ in 0..<count {
                guard let index = number().flatMap({ Int(exactly: $0) }) else { return nil }
                indices.append(index)
            }
            return indices
        }

        mutating func objects() -> Objects? {
            guard let rows = rows(), let references = self.rows(), let width = count() else {
                return nil
            }
            var objects = Objects(rows: rows, references: Set(references))
            if width == 0 { return objects }
            for _ in rows {
                var identity: [SQLValue] = []
                for _ in 0..<width {
                    guard let value = value() else { return nil }
                    identity.append(value)
                }
                objects.identities.append(identity)
            }
            return objects
        }

        mutating func identities() -> [[SQLValue]]? {
            guard let count = count() else { return nil }
            var identities: [[SQLValue]] = []
            for _ in 0..<count {
                guard let width = self.count() else { return nil }
                var identity: [SQLValue] = []
                for _ in 0..<width {
                    guard let value = value() else { return nil }
                    identity.append(value)
                }
                identities.append(identity)
            }
            return identities
        }

        private mutating func rows() -> [Int64]? {
            guard let count = count() else { return nil }
            var rows: [Int64] = []
            rows.reserveCapacity(count)
            var last: Int64 = 0
            for _ in 0..<count {
                guard let difference = signed() else { return nil }
                last = last &+ difference
                rows.append(last)
            }
            return rows
        }

        private mutating func signed() -> Int64? {
            number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }

        private mutating func value() -> SQLValue? {
            switch bytes.popFirst() {
            case 0: return .null
            case 1: return signed().map(SQLValue.integer)
            case 2: return number().map { .real(Double(bitPattern: $0)) }
            case 3: return text().map(SQLValue.text)
            case 4:
                guard let count = count() else { return nil }
                defer { bytes = bytes.dropFirst(count) }
                return .blob(Array(bytes.prefix(count)))
            default: return nil
            }
        }

        mutating func skipped() -> [Skipped]? {
            guard let count = count() else { return nil }
            var skipped: [Skipped] = []
            for _ in 0..<count {
                guard let index = number(), let index = Int(exactly: index), let path = text(),
                    let reason = text()
                else { return nil }
                skipped.append(
                    Skipped(
                        index: index, element: ImportReport.Skipped(path: path, reason: reason)))
            }
            return skipped
        }
    }
}
