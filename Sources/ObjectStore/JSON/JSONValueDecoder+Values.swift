import Foundation

extension JSONValueDecoder {
    func string() throws -> String {
        guard let string = value.string else { throw mismatch(String.self) }
        return string
    }

    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard value.kind == .number else { throw mismatch(type) }
        guard let number = value.tape.integer(value.node, as: type) else { throw unfit(type) }
        return number
    }

    func double() throws -> Double {
        if let number = nonConforming(Double.self) { return number }
        guard value.kind == .number else { throw mismatch(Double.self) }
        guard let number = value.double else { throw unfit(Double.self) }
        return number
    }

    func float() throws -> Float {
        if let number = nonConforming(Float.self) { return number }
        guard value.kind == .number else { throw mismatch(Float.self) }
        guard let number = value.tape.float(value.node) else { throw unfit(Float.self) }
        return number
    }

    func bool() throws -> Bool {
        guard let bool = value.bool else { throw mismatch(Bool.self) }
        return bool
    }

    func date() throws -> Date {
        switch shared.options.dates {
        case .iso8601:
            var text = try string(Date.self)
            guard let seconds = text.withUTF8({ ISO8601.date($0) }) else {
                throw corrupted("expected a date as in ISO 8601")
            }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case .deferredToDate:
            return try Date(from: self)
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try double())
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try double() / 1000)
        case .formatted(let formatter):
            guard let date = formatter.date(from: try string(Date.self)) else {
                throw corrupted("expected a date as the formatter has it")
            }
            return date
        case .custom(let read):
            return try read(self)
        }
    }

    func data() throws -> Data {
        switch shared.options.bytes {
        case .base64:
            guard let data = Base64.data(try string()) else {
                throw corrupted("expected bytes in base64")
            }
            return data
        case .deferredToData:
            return try Data(from: self)
        case .custom(let read):
            return try read(self)
        }
    }

    func url() throws -> URL {
        guard let url = URL(string: try string()) else { throw corrupted("expected a URL") }
        return url
    }

    func decimal() throws -> Decimal {
        guard value.kind == .number else { throw mismatch(Decimal.self) }
        let text = String(decoding: value.source, as: UTF8.self)
        guard let decimal = Decimal(spelling: text) else { throw unfit(Decimal.self) }
        return decimal
    }

    private func string(_ type: Any.Type) throws -> String {
        guard let string = value.string else { throw mismatch(type) }
        return string
    }

    /// The number that a string stands for by the options.
    private func nonConforming<Number: FloatingPoint>(_ type: Number.Type) -> Number? {
        guard
            case .convertFromString(let infinity, let negative, let nan) =
                shared.options.nonConformingFloats,
            let text = value.string
        else { return nil }
        return switch text {
        case infinity: .infinity
        case negative: -.infinity
        case nan: .nan
        default: nil
        }
    }

    private func unfit(_ type: Any.Type) -> DecodingError {
        let text = String(decoding: value.source.prefix(64), as: UTF8.self)
        return corrupted("the number \(text) does not fit \(type)")
    }
}
