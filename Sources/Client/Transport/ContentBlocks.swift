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
    private static let keptCount = 4
    /// The most that are away; where many responses are read at once, each gets less at a time.
    private static let mostAway = 8

    /// Safe to be sent as nobody else has the memory.
    private struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    private struct Current {
        weak var blocks: ContentBlocks?
    }

    private static let current = Guarded(Current())

    private struct State {
        var kept: [Block] = []
        var awayCount = 0
    }

    private let state = Guarded(State())

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
        for block in state.withLock(\.kept) { free(block.start) }
    }

    /// A block, which is the caller's; nil where many are away, or there is no memory.
    func take() -> UnsafeMutableRawPointer? {
        let (isFree, kept) = state.withLock { state -> (Bool, Block?) in
            guard state.awayCount < Self.mostAway else { return (false, nil) }
            state.awayCount += 1
            return (true, state.kept.popLast())
        }
        guard isFree else { return nil }
        if let start = kept?.start ?? malloc(Self.size) { return start }
        state.withLock { $0.awayCount -= 1 }
        return nil
    }

    /// Takes a block back.
    func giveBack(_ start: UnsafeMutableRawPointer) {
        let block = Block(start: start)
        let isKept = state.withLock { state in
            state.awayCount -= 1
            guard state.kept.count < Self.keptCount else { return false }
            state.kept.append(block)
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
