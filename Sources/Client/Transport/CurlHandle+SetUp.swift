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
        // An empty proxy keeps the environment's from being used.
        larder_curl_set_string(easy, CURLOPT_PROXY, "")
        larder_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        larder_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        larder_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        larder_curl_set_long(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        larder_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        // Asked for here, unless a request names its own, but decoded by GzipDecoder.
        larder_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
        larder_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        larder_curl_set_long(
            easy, CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        if let authorities = configuration.authorities {
            larder_curl_set_string(easy, CURLOPT_CAINFO, authorities)
        }
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
            CurlHandle.from(context)?
                .report(Int64(expected), Int64(received), Int64(toSend), Int64(sent))
            return 0
        }
        if CurlConnections.isNeeded {
            larder_curl_set_sockopt(
                easy,
                { context, socket, _ in
                    CurlHandle.from(context)?.noteSocket(socket)
                    return CInt(CURL_SOCKOPT_OK)
                }, context)
            // A connection outlives the handle that has opened it, but not the record of all.
            larder_curl_set_close_socket(
                easy,
                { context, socket in
                    CurlConnections.from(context)?.close(socket) ?? close(socket)
                }, Unmanaged.passUnretained(connections).toOpaque())
        }
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

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets the times that an exchange may take, of which some have passed, and for which nothing may move.
    func setTimes(of request: TransportRequest, elapsed: Int) {
        let all = (request.timeout ?? .seconds(60)).wholeMilliseconds
        larder_curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(all - elapsed, 1))
        let silence = request.idleTimeout.map { max(($0.wholeMilliseconds + 999) / 1000, 1) } ?? 0
        larder_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, silence > 0 ? 1 : 0)
        larder_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, silence)
    }
}
#endif
