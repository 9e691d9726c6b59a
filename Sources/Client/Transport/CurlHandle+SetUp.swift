#if !canImport(Darwin)
import CLarderCurl
import Foundation
import LarderPromises

extension CurlHandle {
    /// Sets what is the same for every exchange.
    func setUp() {
        larder_curl_allow_http_only(easy)
        larder_curl_leave_lookups(easy)
        // Signals belong to the program. A name look-up then times out without SIGALRM.
        larder_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Empty ones keep the environment's from being used.
        larder_curl_set_string(easy, CURLOPT_PROXY, "")
        larder_curl_set_string(easy, CURLOPT_NOPROXY, "")
        larder_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        larder_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        larder_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        larder_curl_set_long(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        larder_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        // By ContentDecoder.
        larder_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        larder_curl_set_long(
            easy, CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        setLifetimes()
        let context = Unmanaged.passUnretained(self).toOpaque()
        larder_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        larder_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, detail)
        larder_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        larder_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        larder_curl_set_pointer(easy, CURLOPT_XFERINFODATA, context)
        larder_curl_set_pointer(easy, CURLOPT_READDATA, context)
        larder_curl_set_pointer(easy, CURLOPT_SEEKDATA, context)
        larder_curl_set_sink(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveHead(bytes, size * count) ?? 0
        }
        larder_curl_set_sink(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveBody(bytes, size * count) ?? 0
        }
        larder_curl_set_sink(easy, CURLOPT_READFUNCTION) { space, size, count, context in
            CurlHandle.from(context)?.giveBody(space, size * count) ?? 0
        }
        larder_curl_set_seek(easy) { context, offset, origin in
            CurlHandle.from(context)?.rewindBody(to: Int(offset), origin) ?? CURL_SEEKFUNC_FAIL
        }
        larder_curl_set_progress(easy) { context, expected, received, toSend, sent in
            let goesOn = CurlHandle.from(context)?
                .report(Int64(expected), Int64(received), Int64(toSend), Int64(sent))
            return goesOn == false ? 1 : 0
        }
        larder_curl_set_sockopt(
            easy,
            { context, socket, _ in
                CurlHandle.from(context)?.sockets.append(socket)
                // Else a process that the app begins has it, too, and keeps the connection open.
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                return CInt(CURL_SOCKOPT_OK)
            }, context)
        // A connection outlives the handle that has opened it, but not the record of all.
        larder_curl_set_close_socket(
            easy,
            { context, socket in
                CurlConnections.from(context)?.close(socket) ?? close(socket)
            }, Unmanaged.passUnretained(connections).toOpaque())
        let status = larder_curl_set_prereq(
            easy,
            { context, host, _, port, localPort in
                let ends = CurlConnections.Ends(
                    localPort: localPort, host: host.map { String(cString: $0) } ?? "",
                    port: port)
                return CurlHandle.from(context)?.mayBeSent(over: ends) == false
                    ? CInt(LARDER_CURL_PREREQ_ABORT) : CInt(LARDER_CURL_PREREQ_OK)
            }, context)
        noticesSendings = status == 0
    }

    /// Sets where connections come from, and for how long they are used.
    private func setLifetimes() {
        if let local = configuration.localAddress {
            let name = HostName(local)
            larder_curl_set_string(
                easy, CURLOPT_INTERFACE, name.address == nil ? "if!\(local)" : "host!\(name.text)")
        }
        // By number, as they came with 7.65 and 7.80.
        let (age, lifetime) = (CURLoption(rawValue: 288), CURLoption(rawValue: 314))
        larder_curl_set_long(easy, age, Self.seconds(configuration.idleConnectionTimeout))
        if let time = configuration.connectionLifetime {
            larder_curl_set_long(easy, lifetime, Self.seconds(time))
        }
        if let interval = configuration.keepAliveInterval {
            larder_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
            larder_curl_set_long(easy, CURLOPT_TCP_KEEPIDLE, Self.seconds(interval))
            larder_curl_set_long(easy, CURLOPT_TCP_KEEPINTVL, Self.seconds(interval))
        }
    }

    /// Whole seconds, one at least, as 0 stands for no bound, and few enough for any of libcurl's counts.
    private static func seconds(_ time: Duration) -> Int {
        min(max((time.wholeMilliseconds + 999) / 1000, 1), 1 << 30)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets the times that an exchange may take, of which some have passed, and for which nothing may move.
    func setTimes(of request: TransportRequest, elapsed: Int) {
        let time = request.timeout.map { Self.milliseconds(leftOf: $0, after: elapsed) }
        numbers.timeout.set(time ?? max(60_000 - elapsed, 1), on: easy)
        // With these, libcurl looks each second, and reports; its own measure is the speed of some seconds in whole
        // bytes, to which a few bytes now and then are nothing. No release has a longer time.
        let isBounded = request.idleTimeout != nil
        numbers.lowSpeedLimit.set(isBounded ? 1 : 0, on: easy)
        numbers.lowSpeedTime.set(isBounded ? 65_535 : 0, on: easy)
    }

    /// The milliseconds that are left of a time, one at least, or 0, which is no bound.
    static func milliseconds(leftOf time: Duration, after elapsed: Int) -> Int {
        time.isUncounted ? 0 : max(time.wholeMilliseconds - elapsed, 1)
    }
}
#endif
