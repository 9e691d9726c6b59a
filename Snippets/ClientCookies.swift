// Cookies of a session, kept or not.

import Foundation
import Larder

let store = try Store.inMemory()

// snippet.jar
var configuration = Client.Configuration()
configuration.cookies = CookieJar()
let client = Client(
    baseURL: "https://api.example.com/", store: store, configuration: configuration)
// snippet.end

// snippet.file
func jar(of account: String, in folder: URL) throws -> CookieJar {
    try CookieJar(file: folder.appending(path: "\(account).cookies"))
}
// snippet.end

// snippet.session
func empty(_ jar: CookieJar) throws {
    jar.removeAll()
    // The file is written soon anyway; this waits for it, and says whether it could be.
    try jar.save()
}

func hasSession(_ jar: CookieJar, at url: URL) -> Bool {
    jar.cookies(for: url).contains { $0.name == "sid" }
}
// snippet.end

// snippet.set
func adopt(_ token: String, for url: URL, in jar: CookieJar) {
    jar.set("sid=\(token); Path=/; Secure; HttpOnly", from: url)
}
// snippet.end
