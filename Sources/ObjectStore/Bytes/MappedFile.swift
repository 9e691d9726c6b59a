package import Foundation

/// The bytes of a file that has no name and so is nobody else's, mapped into memory.
///
/// Mapped bytes end in a signal where somebody truncates their file, which is why no file of which
/// others know is ever mapped. The pages count as the process's memory once they are touched, until
/// they are released.
///
/// Unchecked because it holds a pointer; nothing writes through it.
package final class MappedFile: @unchecked Sendable {
    /// The file's size in bytes.
    package let count: Int
    let bytes: UnsafePointer<UInt8>
    private let length: Int

    /// Maps an open file, which may be closed afterwards.
    init(descriptor: Int32, count: Int) throws(POSIXError) {
        self.count = count
        // Nothing can't be mapped.
        length = max(count, 1)
        guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
            start != MAP_FAILED
        else { throw POSIXError(lastCode) }
        bytes = UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
        madvise(start, length, MADV_SEQUENTIAL)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes), length) }

    /// The bytes, which keep the file for as long as they are held.
    package var data: Data {
        guard count > 0 else { return Data() }
        let start = UnsafeMutableRawPointer(mutating: bytes)
        return Data(
            bytesNoCopy: start, count: count,
            deallocator: .custom { [self] _, _ in withExtendedLifetime(self) {} })
    }

    /// Gives back the memory of bytes that are not needed soon; who reads them gets them from the
    /// file again.
    func release(_ range: Range<Int>) {
        let page = Int(getpagesize())
        let start = range.lowerBound / page * page
        let end = range.upperBound / page * page
        guard start < end else { return }
        madvise(UnsafeMutableRawPointer(mutating: bytes + start), end - start, MADV_DONTNEED)
    }
}
