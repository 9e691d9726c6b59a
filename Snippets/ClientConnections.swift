// Connections that go through a proxy, or are asked for more than any host is.

import Foundation
import Larder

let store = try Store.inMemory()

#if !canImport(Darwin)
// snippet.proxy
var connections = CurlTransport.Configuration()
connections.proxies = .all(
    try Proxy("http://proxy.example.com:3128", username: "ann", password: password()),
    except: ["localhost", "127.0.0.0/8", "intranet.example.com"])
let client = Client(
    baseURL: "https://api.example.com/", store: store,
    configuration: .init(transport: CurlTransport(configuration: connections)))
// snippet.end

// snippet.environment
func useProxiesOfEnvironment(_ connections: inout CurlTransport.Configuration) throws {
    connections.proxies = try .environment()
}
// snippet.end

// snippet.tls
func setUpTLS(
    _ connections: inout CurlTransport.Configuration, authority: Data, certificate: Data, key: Data
) throws {
    // A host whose certificate none of the system's authorities has signed.
    connections.tls["intranet.example.com"] = TLSSettings(authorities: .only(authority))
    // A host that has one of two keys, the second of which is kept for the day it is needed.
    connections.tls["api.example.com"] = TLSSettings(pins: [
        try PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
        try PublicKeyPin("sha256/pmWkWSBCL51Bfkhn79xPuKBKHz//H6B+mY6G9/eieuM="),
    ])
    // Hosts that want to know who asks.
    connections.tls["*.partner.example"] = TLSSettings(
        clientCertificate: .pem(certificates: certificate, key: key, password: password()))
}
// snippet.end

// snippet.hosts
func setUpHosts(_ connections: inout CurlTransport.Configuration) {
    connections.addresses["api.example.com"] = ["192.0.2.7", "2001:db8::7"]
    connections.unixSockets["docker"] = "/var/run/docker.sock"
}
// snippet.end

// snippet.versions
func setUpVersions(_ connections: inout CurlTransport.Configuration) {
    connections.httpVersionsOfHosts["legacy.example.com"] = .upTo1
    connections.httpVersionsOfHosts["backend.internal"] = .priorKnowledge
}
// snippet.end

func password() -> String { ProcessInfo.processInfo.environment["PROXY_PASSWORD"] ?? "" }
#endif
