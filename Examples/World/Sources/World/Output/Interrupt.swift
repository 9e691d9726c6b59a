import Dispatch
import Foundation

/// Ctrl-C, which ends the process at once.
///
/// A transaction that is not finished by then has never happened.
enum Interrupt {
    static func handle() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            Progress.clear()
            fflush(nil)
            let message = "Interrupted; the store holds every page that was finished.\n"
            FileHandle.standardError.write(Data(message.utf8))
            _exit(130)
        }
        source.resume()
        return source
    }
}
