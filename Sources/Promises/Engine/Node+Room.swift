extension Node {
    /// Puts something of any type into the node: in its own room where it fits, else beside it.
    @inlinable
    @inline(__always)
    func put<Content>(_ content: consuming Content) {
        guard let room else { return }
        if Self.fits(Content.self) {
            room.initializeMemory(as: Content.self, to: content)
            clearRoom = { $0.assumingMemoryBound(to: Content.self).deinitialize(count: 1) }
        } else {
            let outside = UnsafeMutablePointer<Content>.allocate(capacity: 1)
            outside.initialize(to: content)
            room.storeBytes(of: outside, as: UnsafeMutablePointer<Content>.self)
            clearRoom = { room in
                let outside = room.load(as: UnsafeMutablePointer<Content>.self)
                outside.deinitialize(count: 1)
                outside.deallocate()
            }
        }
    }

    /// Where something was put, for as long as it stays there.
    @inlinable
    @inline(__always)
    func content<Content>(as type: Content.Type) -> UnsafeMutablePointer<Content>? {
        guard let room else { return nil }
        return Self.fits(type)
            ? room.assumingMemoryBound(to: Content.self)
            : room.load(as: UnsafeMutablePointer<Content>.self)
    }

    /// Destroys what was put into the node.
    @inlinable
    @inline(__always)
    func clear() {
        guard let room, let clearRoom else { return }
        self.clearRoom = nil
        clearRoom(room)
    }

    @inlinable
    @inline(__always)
    static func fits<Content>(_ type: Content.Type) -> Bool {
        MemoryLayout<Content>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<Content>.alignment <= MemoryLayout<UInt>.alignment
    }
}
