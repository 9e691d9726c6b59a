extension Promise {
    /// Passes on that there is a value, without it.
    public func asVoid() -> Promise<Void> {
        link(on: .immediate, site: node.site) { link, input, drain in
            link.forward(input.map { _ in }, isHandled: link.upstreamIsHandled, in: &drain)
        }
    }
}
