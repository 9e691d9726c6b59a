import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONStringScannerTests {
    /// What stands in a string instead of a plain byte, and what comes of it.
    static let specials: [(bytes: [UInt8], reason: JSONError.Reason?)] = [
        (Array("\\n".utf8), nil), (Array("\\\"".utf8), nil), (Array("\\\\".utf8), nil),
        (Array("\\u00e9".utf8), nil), (Array("\\uD83D\\uDE00".utf8), nil),
        (Array("é".utf8), nil), (Array("€".utf8), nil), (Array("😀".utf8), nil),
        (Array("é€😀é".utf8), nil), ([0x7F], nil), ([0x00], .controlCharacter),
        ([0x1F], .controlCharacter), ([0x0A], .controlCharacter), ([0x80], .invalidUTF8),
        ([0xFF], .invalidUTF8), ([0xC3, 0x28], .invalidUTF8), (Array("\\x".utf8), .invalidEscape),
        (Array("\\uD83D".utf8), .invalidEscape),
    ]

    @Test(arguments: specials.indices)
    func `finds every special byte at every place of strings of every length`(index: Int) {
        let (special, reason) = Self.specials[index]
        let page = GuardedPage()
        for length in 0...40 {
            for place in 0...length {
                let plain = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN".utf8.prefix(length))
                let content = plain[..<place] + special + plain[place...]
                let bytes = page.place(Array(content) + [UInt8(ascii: "\"")])
                var scanner = JSONStringScanner(bytes: bytes, end: content.count + 1, position: 0)
                let outcome = scanner.scan()
                #expect(outcome == reason, "\(length) \(place)")
                #expect(
                    scanner.position == (reason == nil ? content.count : place),
                    "\(length) \(place)")
                #expect(scanner.hasEscapes == (special[0] == 0x5C), "\(length) \(place)")
            }
        }
    }

    @Test func `stops at the first quotation mark wherever it stands`() {
        let page = GuardedPage()
        for length in 0...40 {
            for tail in 0...20 {
                let content = Array(repeating: UInt8(ascii: "a"), count: length)
                let bytes = page.place(
                    content + Array(repeating: UInt8(ascii: "\""), count: tail + 1))
                var scanner = JSONStringScanner(
                    bytes: bytes, end: length + tail + 1, position: 0)
                #expect(scanner.scan() == nil)
                #expect(scanner.position == length)
            }
        }
    }

    @Test func `an end without a quotation mark is noticed at every length`() {
        let page = GuardedPage()
        for tail in ["", "\\", "\\u", "\\u1", "\\u12", "\\u123"] {
            for length in 0...40 {
                let content = Array(String(repeating: "a", count: length).utf8) + Array(tail.utf8)
                var scanner = JSONStringScanner(
                    bytes: page.place(content), end: content.count, position: 0)
                #expect(scanner.scan() == .unexpectedEnd)
                #expect(scanner.position == length)
            }
        }
    }

    @Test func `starts at every alignment`() {
        let page = GuardedPage()
        let content = Array("plain text, then é and \\n and the end\"".utf8)
        for start in 0..<16 {
            let bytes = page.place(Array(repeating: UInt8(ascii: "\""), count: start) + content)
            var scanner = JSONStringScanner(
                bytes: bytes, end: start + content.count, position: start)
            #expect(scanner.scan() == nil)
            #expect(scanner.position == start + content.count - 1)
        }
    }

    @Test func `tells each byte alone from each other byte`() {
        let page = GuardedPage()
        for byte in UInt8.min...UInt8.max {
            // Seventeen bytes: both the one that is looked at alone and those looked at together.
            for place in [0, 7, 15, 16] {
                var content = Array(repeating: UInt8(ascii: "a"), count: 17)
                content[place] = byte
                let bytes = page.place(content + [UInt8(ascii: "\"")])
                var scanner = JSONStringScanner(bytes: bytes, end: 18, position: 0)
                let reason = scanner.scan()
                switch byte {
                case UInt8(ascii: "\""):
                    #expect(reason == nil && scanner.position == place)
                case UInt8(ascii: "\\"):
                    #expect(reason == (place == 16 ? .unexpectedEnd : .invalidEscape))
                case ..<0x20: #expect(reason == .controlCharacter)
                case 0x80...: #expect(reason == .invalidUTF8)
                default: #expect(reason == nil && scanner.position == 17)
                }
            }
        }
    }

    @Test func `takes all pairs of bytes that are UTF-8 and no other`() {
        for first in UInt8(0x80)...0xFF {
            for second in UInt8.min...UInt8.max {
                expectAgreement(on: [first, second])
            }
        }
    }

    @Test func `takes sequences of three and four bytes as the standard library does`() {
        let edges: [UInt8] = [
            0x00, 0x22, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED,
            0xF0,
            0xF4, 0xFF,
        ]
        for first in UInt8(0xC0)...0xFF {
            for second in edges {
                for third in edges {
                    expectAgreement(on: [first, second, third])
                    for fourth in edges { expectAgreement(on: [first, second, third, fourth]) }
                }
            }
        }
    }

    @Test func `takes every scalar there is`() {
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            expectAgreement(on: Array(String(scalar).utf8))
        }
    }

    /// Compares the scanner with the standard library's validation; quotation mark and backslash
    /// and control characters are other tests' concern.
    private func expectAgreement(on bytes: [UInt8]) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else { return }
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        let reason = (bytes + [0x22]).withUnsafeBufferPointer { buffer -> JSONError.Reason? in
            guard let start = buffer.baseAddress else { return .unexpectedEnd }
            var scanner = JSONStringScanner(bytes: start, end: buffer.count, position: 0)
            return scanner.scan()
        }
        if (reason == nil) != isUTF8 { Issue.record("\(bytes): \(String(describing: reason))") }
    }
}
