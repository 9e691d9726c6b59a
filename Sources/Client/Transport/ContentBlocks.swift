import Foundation
import LarderObjectStore
import LarderPromises

/// Blocks of memory for content that is read as it comes, which come back once their reader has let them go.
///
/// The system gives new memory page by page, which takes longer than to fill it with what has come.
final class ContentBlocks: Sendable {
    /// The number of bytes of a block.
    static let size = 512 << 10
    /// The blocks that are kept for what comes next.
    private static let keptCount = 8

    /// Safe to be sent as nobody else has the memory.
    private struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    private struct Current {
        weak var blocks: ContentBlocks?
    }

    private static let current = Guarded(Current())

    private let kept = Guarded<[Block]>([])

    /// Those of all content that is being read, which are given back to the system once none is.
    static var shared: ContentBlocks {
        current.withLock { current in
            if let blocks = current.blocks { return blocks }
            let blocks = ContentBlocks()
            current.blocks = blocks
            return blocks
        }
    }

    deinit {
        for block in kept.withLock({ $0 }) { free(block.start) }
    }

    /// A block, which is the caller's; nil where there is no memory.
    func take() -> UnsafeMutableRawPointer? {
        kept.withLock { $0.popLast() }?.start ?? malloc(Self.size)
    }

    /// Takes a block back.
    func giveBack(_ start: UnsafeMutableRawPointer) {
        let block = Block(start: start)
        let isKept = kept.withLock { kept in
            guard kept.count < Self.keptCount else { return false }
            kept.append(block)
            return true
        }
        if !isKept { free(start) }
    }

    /// The first bytes of a block, which comes back once nobody has them any more.
    func data(of start: UnsafeMutableRawPointer, count: Int) -> Data {
        Data(
            bytesNoCopy: start, count: count,
            deallocator: .custom { [self] start, _ in giveBack(start) })
    }
}
