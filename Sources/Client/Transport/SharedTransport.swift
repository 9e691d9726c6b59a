import LarderPromises

/// The transport of clients that are given none: one for all, for as long as one of them lives.
enum SharedTransport {
    private struct Slot {
        weak var transport: PlatformTransport?
    }

    private static let slot = Guarded(Slot())

    static var current: PlatformTransport {
        slot.withLock { slot in
            if let transport = slot.transport { return transport }
            let transport = PlatformTransport()
            slot.transport = transport
            return transport
        }
    }
}
