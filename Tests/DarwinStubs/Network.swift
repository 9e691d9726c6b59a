// swift-format-ignore-file
// What Larder uses of Apple's Network, for `Scripts/check-darwin`; nothing here does anything.
@_exported import Dispatch

public final class NWPathMonitor: Sendable {
    public init() {}

    @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { nil }
        set {}
    }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    public let status: NWPath.Status
}
