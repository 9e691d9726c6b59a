/// Settings of hosts by name, a host's own or those for all below a name.
struct HostSettings<Value: Sendable>: Sendable {
    private var own: [HostName: Value] = [:]
    /// By what the names end in; the longest first.
    private var below: [(name: HostName, value: Value)] = []

    var isEmpty: Bool { own.isEmpty && below.isEmpty }

    /// Reads settings by names, of which `*.example.com` stands for all that end in `.example.com`.
    ///
    /// - Throws: A ``TransportError`` where a key is no name of a host, or stands there in two spellings.
    init(
        _ settings: [String: Value],
        readingNamesBy read: (String) throws(TransportError) -> HostName = HostName.init(plain:)
    ) throws(TransportError) {
        for (text, value) in settings {
            guard text.hasPrefix("*.") else {
                guard own.updateValue(value, forKey: try read(text)) == nil else {
                    throw HostName.unusable
                }
                continue
            }
            let name = try read(String(text.dropFirst(2)))
            guard name.address == nil, !below.contains(where: { $0.name == name }) else {
                throw HostName.unusable
            }
            below.append((name, value))
        }
        below.sort { $0.name.text.utf8.count > $1.name.text.utf8.count }
    }

    /// A host's own settings, or those of the longest name that it is below.
    subscript(host: HostName) -> Value? {
        own[host] ?? below.first { host.isBelow($0.name) }?.value
    }
}
