extension FoundationNetworkingFault {
    #if LARDER_URLSESSION && !canImport(Darwin)
    static let all = exchanges + hostileResponses
    #else
    /// None, as it is not the transport.
    static let all: [FoundationNetworkingFault] = []
    #endif

    static let exchanges: [FoundationNetworkingFault] = []

    static let hostileResponses: [FoundationNetworkingFault] = []
}
