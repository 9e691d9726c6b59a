#if canImport(Darwin)
import Darwin

extension StackRoom {
    /// Where the stack of the calling thread ends.
    static func lowestAddress() -> UInt {
        // Darwin gives its other end, from which it grows down.
        let top = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
        return top - UInt(pthread_get_stacksize_np(pthread_self()))
    }
}
#endif
