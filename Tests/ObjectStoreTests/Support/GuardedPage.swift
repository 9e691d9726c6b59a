import Foundation

/// Memory that ends where the process may not read: one byte too far is a crash.
final class GuardedPage {
    private let size = sysconf(Int32(_SC_PAGESIZE))
    private let start: UnsafeMutableRawPointer

    init() {
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, size, 2 * size) == 0, let address,
            mprotect(address + size, size, PROT_NONE) == 0
        else { fatalError("no memory to guard") }
        start = address
    }

    deinit {
        mprotect(start + size, size, PROT_READ | PROT_WRITE)
        free(start)
    }

    /// Puts bytes at the very end of what can be read.
    func place(_ bytes: some Collection<UInt8>) -> UnsafePointer<UInt8> {
        let place = (start + size - bytes.count).assumingMemoryBound(to: UInt8.self)
        for (index, byte) in bytes.enumerated() { place[index] = byte }
        return UnsafePointer(place)
    }
}
