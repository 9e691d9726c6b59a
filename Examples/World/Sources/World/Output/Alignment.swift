import Foundation

extension String {
    /// The text, filled up with spaces on its right or cut off.
    func left(_ width: Int) -> String {
        let spaces = String(repeating: " ", count: max(width - count, 0))
        return count > width ? prefix(width - 1) + "…" : self + spaces
    }

    /// The text, filled up with spaces on its left.
    func right(_ width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}

extension Int {
    /// The number with commas, whatever the locale: 12,000.
    var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension Duration {
    /// Whole milliseconds: 12 ms.
    var inMilliseconds: String { "\(Int(self / .milliseconds(1)).grouped) ms" }
}
