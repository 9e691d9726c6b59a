extension Promise {
    /// Returns a promise of the same outcome that those who wait for it do not cancel.
    ///
    /// Whoever cancels a chain behind it, or a task that awaits it, gives up waiting, and the work
    /// goes on, even if nobody is left; `cancel()` of the promise itself still stops it. This is how
    /// to keep a promise that several share, such as the refresh of a token:
    ///
    /// ```swift
    /// refresh = client.enqueue(RefreshToken()).shielded()
    /// ```
    public func shielded(
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        let shield = passOn(site: CreationSite(fileID, line))
        shield.node.holdAgainstWaiters()
        return shield
    }
}
