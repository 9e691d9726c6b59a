import Foundation

/// A user without privileges: permissions say nothing to the superuser, whom tests may run as.
enum OtherUser {
    /// Runs a body whose accesses to files are those of such a user; says so and gives nil where
    /// that can't be done.
    ///
    /// On Linux the user of file accesses belongs to the thread, so that no other test notices.
    static func run<Result>(_ body: () throws -> Result) throws -> Result? {
        guard geteuid() == 0 else { return try body() }
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "setfsuid") else {
            print("SKIPPED: no way to give up the superuser's permissions here")
            return nil
        }
        let setUser = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
        _ = setUser(65534)
        defer { _ = setUser(0) }
        return try body()
    }
}
