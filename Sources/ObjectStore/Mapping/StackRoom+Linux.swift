#if !canImport(Darwin)
import Foundation

extension StackRoom {
    /// Where the stack of the calling thread ends, zero where that can't be told.
    static func lowestAddress() -> UInt {
        var attributes = pthread_attr_t()
        guard pthread_getattr_np(pthread_self(), &attributes) == 0 else { return 0 }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0 else { return 0 }
        return UInt(bitPattern: start)
    }
}
#endif
