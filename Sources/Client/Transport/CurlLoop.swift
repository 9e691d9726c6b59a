#if !canImport(Darwin)
import CLarderCurl
import Foundation
import LarderPromises

/// The transport's loop: libcurl's multi handle and everything that only the thread on duty may touch.
///
/// Where all exchanges have ended, that thread stores responses and runs handlers itself, as to wake another one for
/// them takes longer. Meanwhile the loop stands still, unless something is left for it: then the thread that
/// stands by goes on with it, and the other one stands by (Leader/Followers; Schmidt, Stal, Rohnert and Buschmann,
/// Pattern-Oriented Software Architecture 2).
///
/// Safe to be handed on as ``CurlMailbox`` lets one thread at a time be on duty.
final class CurlLoop: @unchecked Sendable {
    private let mailbox: CurlMailbox
    private let configuration: CurlTransport.Configuration
    private let multi: UnsafeMutableRawPointer
    private let connections = CurlConnections()
    /// The settings of hosts, if there are any, or what is wrong with them.
    private let routes: Result<CurlRoutes?, TransportError>
    private let signal: BrokenPipeSignal
    @exclusivity(unchecked) private var waiting = CurlBacklog()
    /// The handles of the exchanges under way, each at its place.
    @exclusivity(unchecked) private var active: [CurlHandle] = []
    @exclusivity(unchecked) private var idle: [CurlHandle] = []
    /// The idle handles that keep the settings of a host, beside two for each exchange under way.
    private static let keptRoutes = 8
    /// The handles whose exchanges have ended just now, which may have to be renewed.
    @exclusivity(unchecked) private var used: [CurlHandle] = []
    /// The handles that wait for others to open connections.
    private var waiters = CurlWaiters()
    /// The exchanges that have ended and are to be completed.
    @exclusivity(unchecked) private var ended: [CurlExchange] = []
    /// The timeout of a wait for what does not come, in milliseconds.
    private var patience: Int32 = 60_000
    /// The timeout of a wait while exchanges are under way: libcurl 7.88 at times reads all of an
    /// HTTP/2 response and says nothing of it until something else happens.
    private var activePatience: Int32 {
        let most = larder_curl_version() < 0x08_00_00 ? min(patience, 50) : patience
        // What waits to be written is so soon, whether more comes or not.
        let soon = Int32(clamping: PartialFile.longestHeld.wholeMilliseconds)
        return connections.haveContent ? min(most, soon) : most
    }

    private init(
        _ mailbox: CurlMailbox, _ configuration: CurlTransport.Configuration,
        _ multi: UnsafeMutableRawPointer, _ signal: BrokenPipeSignal
    ) {
        self.mailbox = mailbox
        self.signal = signal
        self.configuration = configuration
        self.multi = multi
        routes = Result { () throws(TransportError) in try CurlRoutes(configuration) }
        larder_curl_multi_set_long(
            multi, CURLMOPT_MAXCONNECTS, min(configuration.exchangeLimit, 1 << 16))
        // Names that nobody answers for must not hold up others.
        larder_curl_allow_lookups(multi, min(configuration.exchangeLimit, 1 << 10))
        // CurlHandle sees to it that only those of HTTP/2 are shared.
        larder_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    /// Serves the mailbox until it is closed and every exchange has ended.
    static func run(_ mailbox: CurlMailbox, _ configuration: CurlTransport.Configuration) {
        let signal = BrokenPipeSignal()
        guard CurlTransport.isLibraryReady, let multi = curl_multi_init() else {
            refuseAll(mailbox)
            return
        }
        mailbox.attach(multi)
        let loop = CurlLoop(mailbox, configuration, multi, signal)
        // Where the process has no descriptors left, libcurl has none to be woken by.
        if curl_multi_wakeup(multi) != CURLM_OK { loop.patience = 20 }
        loop.serve()
    }

    /// Runs the loop until it is handed on, and stands by then, until it has ended.
    private func serve() {
        repeat {
            if run() { return close() }
        } while mailbox.standBy()
    }

    /// Closes the connections; the other thread may still be away.
    private func close() {
        CurlStandstill.working {
            idle.removeAll()
            used.removeAll()
            curl_multi_cleanup(multi)
        }
        mailbox.end()
    }

    /// Stands by on a thread of its own.
    private func startStandingBy() {
        Thread.detachNewThread { [self] in
            larder_name_thread(configuration.threadName)
            signal.block()
            WaitBan.perform {
                if mailbox.standBy() { serve() }
            }
        }
    }

    private static func refuseAll(_ mailbox: CurlMailbox) {
        for exchange in mailbox.giveUp() {
            exchange.complete(.failure(TransportError(.other, "libcurl could not be started.")))
        }
    }

    /// Runs the loop; false where it has been handed on, true where it has ended.
    private func run() -> Bool {
        while true {
            CurlStandstill.working {
                read(mailbox.take())
                fill()
                perform()
                fill()
                for handle in waiters.overdue() { startAgain(handle) }
            }
            guard complete() else { return false }
            // Once the callers have their results, which need not wait for that.
            CurlStandstill.working { renewUsed() }
            let isIdle = active.isEmpty && waiting.isEmpty
            if isIdle, mailbox.detachIfClosed() { return true }
            if mailbox.beginPolling(isIdle: isIdle) {
                // Sooner where a transfer's timer is; the bound only guards against a lost wake-up.
                configuration.wait.run(
                    multi,
                    atMost: waiters.patience(within: active.isEmpty ? patience : activePatience))
            }
        }
    }

    private func read(_ mail: CurlMailbox.Mail) {
        for exchange in mail.starts { waiting.append(exchange) }
        for exchange in mail.resumptions { resume(exchange) }
        for exchange in mail.cancellations { cancel(exchange) }
    }

    /// Lets an exchange go on whose reader has caught up.
    private func resume(_ exchange: CurlExchange) {
        guard case .active(let handle) = exchange.stage else { return }
        let code = handle.resume()
        if code != CURLE_OK { finish(handle, code) }
    }

    /// Starts waiting exchanges while there is room.
    private func fill() {
        while active.count < configuration.exchangeLimit, let exchange = waiting.popFirst() {
            start(exchange)
        }
    }

    private func start(_ exchange: CurlExchange) {
        let route: CurlHostRoute?
        do throws(TransportError) {
            route = try routes.get()?.hostRoute(of: exchange.request)
        } catch {
            return end(exchange, .failure(error))
        }
        guard let handle = freeHandle(for: route) else {
            return end(exchange, .failure(TransportError(.other, "libcurl gave no handle.")))
        }
        do throws(TransportError) {
            try handle.begin(exchange, over: route)
        } catch {
            used.append(handle)
            return end(exchange, .failure(error))
        }
        let code = curl_multi_add_handle(multi, handle.easy)
        guard code == CURLM_OK else {
            _ = handle.end(CURLE_FAILED_INIT)
            let number = Int(code.rawValue)
            let error = TransportError(.other, "libcurl took no handle.", code: number)
            return end(exchange, .failure(error))
        }
        exchange.stage = .active(handle)
        handle.place = active.count
        active.append(handle)
        if handle.sharing.isWaiting { waiters.append(handle) }
    }

    private func end(
        _ exchange: CurlExchange, _ result: Result<TransportResponse, TransportError>
    ) {
        exchange.end(result)
        ended.append(exchange)
    }

    private func renewUsed() {
        for handle in used { handle.renewIfNeeded() }
        idle += used
        used.removeAll(keepingCapacity: true)
        // They may hold a bundle of authorities each; those under way may soon be followed by as many.
        let needed = Self.keptRoutes + 2 * active.count
        for handle in idle.dropLast(needed) { handle.leaveRoute() }
    }

    /// A handle for an exchange, one that has been told of its route where there is one.
    private func freeHandle(for route: CurlHostRoute?) -> CurlHandle? {
        if route != nil,
            let place = idle.suffix(Self.keptRoutes).lastIndex(where: { $0.keptRoute === route })
        {
            return idle.remove(at: place)
        }
        return idle.popLast() ?? used.popLast()
            ?? CurlHandle(configuration, connections: connections)
    }

    /// Begins an exchange anew to which nothing has been answered.
    private func startAgain(_ handle: CurlHandle) {
        curl_multi_remove_handle(multi, handle.easy)
        handle.beginAgain()
        guard curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
            return finish(handle, CURLE_FAILED_INIT)
        }
    }

    private func perform() {
        var running: Int32 = 0
        guard curl_multi_perform(multi, &running) == CURLM_OK else {
            // Nothing moves any more, and nobody is to wait for it.
            for handle in active { finish(handle, CURLE_FAILED_INIT) }
            return
        }
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            let code = larder_curl_message_result(message)
            var context: UnsafeMutableRawPointer?
            larder_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
            guard let handle = CurlHandle.from(context) else { continue }
            goOn(with: handle, after: code)
        }
        handOverContent()
        guard connections.haveRefused else { return }
        connections.haveRefused = false
        // libcurl says nothing of some that were to be sent once more.
        for handle in active where handle.isRefused {
            goOn(with: handle, after: CURLE_ABORTED_BY_CALLBACK)
        }
    }

    /// Hands over what has come of content that is read as it comes.
    private func handOverContent() {
        guard connections.haveContent else { return }
        connections.haveContent = false
        for handle in active where !handle.handOver() { finish(handle, CURLE_WRITE_ERROR) }
    }

    /// Begins an exchange anew that libcurl is done with, where it is to be, and ends it otherwise.
    private func goOn(with handle: CurlHandle, after code: CURLcode) {
        if handle.needsAnotherConnection || handle.isToBeSentAgain(after: code)
            || handle.isMisdirected(after: code) || handle.isWithoutConnection(after: code)
        {
            startAgain(handle)
        } else {
            finish(handle, code)
        }
    }

    private func finish(_ handle: CurlHandle, _ code: CURLcode) {
        guard let place = handle.place.take(), let last = active.popLast() else { return }
        if last !== handle {
            active[place] = last
            last.place = place
        }
        curl_multi_remove_handle(multi, handle.easy)
        let exchange = handle.end(code)
        used.append(handle)
        if let exchange { ended.append(exchange) }
    }

    /// Runs the callers' code, which may take its time, or end the process; false where the loop has been
    /// handed on meanwhile.
    private func complete() -> Bool {
        guard !ended.isEmpty else { return true }
        // Several are stored by another thread while this one sends what follows them.
        guard ended.count == 1, active.isEmpty, waiting.isEmpty else {
            tellEnded()
            return true
        }
        let works = IdleTurn.collecting { tellEnded() }
        guard !works.isEmpty else { return true }
        guard mailbox.leave({ startStandingBy() }) else {
            for work in works { IdleTurn.hand(work) }
            return true
        }
        // What is of other clients is not to wait for the handlers of the first.
        for work in works.dropFirst() { IdleTurn.hand(work) }
        signal.allowing(works[0])
        return mailbox.comeBack()
    }

    private func tellEnded() {
        for exchange in ended { exchange.complete() }
        ended.removeAll(keepingCapacity: true)
    }

    private func cancel(_ exchange: CurlExchange) {
        switch exchange.stage {
        case .waiting(let place):
            waiting.remove(at: place)
            end(exchange, .failure(.cancelled))
        case .active(let handle):
            finish(handle, CURLE_ABORTED_BY_CALLBACK)
        case .coming, .ended:
            break
        }
    }
}
#endif
