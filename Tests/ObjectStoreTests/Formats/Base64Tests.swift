import Foundation
import Testing

@testable import LarderObjectStore

struct Base64Tests {
    @Test(arguments: [("", []), ("AQI=", [1, 2]), ("AQ==", [1]), ("AQID", [1, 2, 3])])
    func `reads bytes`(_ text: String, _ bytes: [UInt8]) {
        #expect(Base64.data(text) == Data(bytes))
    }

    @Test(arguments: [
        "=", "==", "===", "====", "A===", "AQI", "A Q==", "AQID====", "AQ==AQ==", "ü",
    ])
    func `refuses what is none`(_ text: String) {
        #expect(Base64.data(text) == nil)
    }
}
