extension Promise {
    /// Returns a promise of the same outcome that is cancelled by itself, with what is chained to it.
    ///
    /// Whoever else waits for this promise goes on waiting; the last branch that is cancelled stops the work,
    /// unless that is ``shielded(fileID:line:)``:
    ///
    /// ```swift
    /// let (screen, widget) = (report.branch(), report.branch())
    /// screen.cancel()  // The widget gets its report.
    /// ```
    public func branch(fileID: StaticString = #fileID, line: UInt = #line) -> Promise<Value> {
        passOn(site: CreationSite(fileID, line))
    }
}
