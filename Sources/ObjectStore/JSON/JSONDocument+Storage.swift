import Foundation
import LarderPromises

extension JSONDocument {
    /// Owns a document's bytes and nodes, or those of some elements of an array that is walked.
    ///
    /// Unchecked because it holds pointers; nothing writes through them once `init` is done.
    final class Storage: @unchecked Sendable {
        /// Below this size `Data` may keep its bytes inside itself, and a copy costs nothing.
        private static let copyLimit = 4096

        /// The owner that keeps the bytes in their place.
        private enum Owner {
            case storage
            /// Whoever else holds the data has to copy it before writing.
            case data(Data)
            case file(MappedFile)
        }

        private let owner: Owner
        /// The path of the document's file, nil where it was read from none.
        let filePath: String?
        let bytes: UnsafePointer<UInt8>
        private let nodes: UnsafePointer<UInt64>
        /// The nesting depth of the document's containers.
        let depth: Int
        /// Arrays of which the nodes are not kept, in the order of their nodes.
        private let deferred: [JSONDeferredArray]
        /// The origin of the elements, nil for a document of its own.
        private let origin: Origin?
        private let depthLimit: Int
        private let longArray: Int
        /// The element that the path of a node has led by last.
        private let lastPlace = Guarded<JSONTape.Place?>(nil)

        /// The array that elements belong to.
        private struct Origin {
            let document: Storage
            let storage: Storage
            let node: Int
            let firstIndex: Int
        }

        init(_ data: Data, depthLimit: Int) throws(JSONError) {
            owner = data.count > Self.copyLimit ? .data(data) : .storage
            filePath = nil
            bytes = data.withUnsafeBytes { source in
                let address = source.assumingMemoryBound(to: UInt8.self).baseAddress
                guard let address, source.count > Self.copyLimit else { return Self.copy(source) }
                return address
            }
            self.depthLimit = depthLimit
            longArray = Int.max
            deferred = []
            origin = nil
            do {
                let parser = JSONParser(bytes: bytes, count: data.count, depthLimit: depthLimit)
                (nodes, depth) = try parser.parse()
            } catch {
                if case .storage = owner { bytes.deallocate() }
                throw error
            }
        }

        /// - Parameter path: The path of the file that the mapped one is a copy of.
        init(
            _ file: MappedFile, path: String? = nil, depthLimit: Int, longArray: Int
        ) throws(JSONError) {
            owner = .file(file)
            filePath = path
            bytes = file.bytes
            self.depthLimit = depthLimit
            self.longArray = longArray
            origin = nil
            let deferral = JSONDeferral(limit: longArray, file: file)
            let parser = JSONParser(
                bytes: bytes, count: file.count, depthLimit: depthLimit, deferral: deferral)
            (nodes, depth) = try parser.parse()
            deferred = deferral.arrays
        }

        /// Elements of an array from an offset on, as an array that is the first node.
        fileprivate init(
            of array: JSONDeferredArray, in storage: Storage, at position: Int, index: Int,
            file: MappedFile, limit: Int, next: inout Int?
        ) throws(JSONError) {
            let deferral = JSONDeferral(limit: storage.longArray, file: file, from: position)
            let parser = JSONParser(
                bytes: file.bytes, count: array.end, depthLimit: storage.depthLimit,
                position: position, deferral: deferral)
            let elements = try parser.parseElements(limit: limit)
            owner = .file(file)
            filePath = storage.filePath
            bytes = file.bytes
            nodes = elements.nodes
            depth = storage.depth
            deferred = deferral.arrays
            depthLimit = storage.depthLimit
            longArray = storage.longArray
            origin = Origin(
                document: storage.document, storage: storage, node: array.node, firstIndex: index)
            next = elements.next
        }

        deinit {
            if case .storage = owner { bytes.deallocate() }
            nodes.deallocate()
        }

        private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
            return UnsafePointer(copy)
        }

        /// The tape, valid while this storage is alive.
        var tape: JSONTape {
            JSONTape(bytes: bytes, nodes: nodes)
        }

        /// The document that all is a part of.
        var document: Storage { origin?.document ?? self }

        /// The array at a node, nil where its elements are on the tape.
        func deferredArray(at node: Int) -> JSONDeferredArray? {
            guard !deferred.isEmpty else { return nil }
            return deferred.first { $0.node == node }
        }

        /// The number of elements of an array or members of an object.
        func count(of node: Int) -> Int {
            deferredArray(at: node)?.count ?? tape.length(node)
        }

        /// The place of a node as a path from the document's root, such as `$[3].user.id`.
        func path(to node: Int) -> String {
            let (start, firstIndex) =
                origin.map { ($0.storage.path(to: $0.node), $0.firstIndex) } ?? ("$", 0)
            if node == 0 { return start }
            // Taken out meanwhile, as two threads may ask.
            var place = lastPlace.withLock { $0 }
            let path = tape.path(
                to: node, from: start, firstIndex: firstIndex, goingOnFrom: &place)
            lastPlace.withLock { [place] in $0 = place }
            return path
        }
    }
}

extension JSONDocument.Storage {
    /// Walks the elements of an array that are not on the tape, some of them at a time.
    struct Walk {
        /// About how many bytes of elements are parsed at once.
        static let size = 1 << 20

        private let storage: JSONDocument.Storage
        private let array: JSONDeferredArray
        private let file: MappedFile
        private var index = 0
        private var next: Int?
        private var current: Int

        fileprivate init(
            _ array: JSONDeferredArray, in storage: JSONDocument.Storage, file: MappedFile
        ) {
            self.storage = storage
            self.array = array
            self.file = file
            next = array.start
            current = array.start
        }

        /// The next elements, as an array that is the first node; nil behind the last.
        ///
        /// The memory of the text before those that came last is given back.
        mutating func batch() throws(JSONError) -> JSONDocument.Storage? {
            guard let start = next else {
                file.release(current..<array.end)
                return nil
            }
            file.release(current..<start)
            current = start
            let size = min(Self.size, max(storage.longArray, 1))
            let batch = try JSONDocument.Storage(
                of: array, in: storage, at: start, index: index, file: file, limit: size,
                next: &next)
            index += batch.tape.length(0)
            return batch
        }
    }

    /// A walk through an array, nil where its elements are on the tape.
    func walk(through node: Int) -> Walk? {
        guard let array = deferredArray(at: node), case .file(let file) = owner else { return nil }
        return Walk(array, in: self, file: file)
    }
}
