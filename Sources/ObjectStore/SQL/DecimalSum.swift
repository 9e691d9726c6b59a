import CLarderSQLite
import Foundation

/// The exact sum of decimal numbers, which are kept as text; SQLite's own sum would round them.
enum DecimalSum {
    static let name = "larder_decimal_sum"

    private final class Total {
        var sum: Decimal = 0
        var failure: String?
    }

    static func add(to connection: OpaquePointer) {
        // It fails only for lack of memory; a query that calls the function says so then.
        sqlite3_create_function_v2(
            connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, nil,
            { context, _, arguments in DecimalSum.add(arguments?[0], to: context) },
            { context in DecimalSum.finish(context) }, nil)
    }

    private static func add(_ value: OpaquePointer?, to context: OpaquePointer?) {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard let total = total(context) else { return sqlite3_result_error_nomem(context) }
        guard let text = sqlite3_value_text(value),
            let number = Decimal(spelling: String(cString: text))
        else {
            total.failure = "a sum of decimal numbers came upon something else"
            return
        }
        var (sum, added) = (Decimal(), number)
        guard NSDecimalAdd(&sum, &total.sum, &added, .plain) == .noError else {
            total.failure = "the sum takes more than 38 digits"
            return
        }
        total.sum = sum
    }

    /// The sum so far, which SQLite keeps the address of.
    private static func total(_ context: OpaquePointer?) -> Total? {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let room = sqlite3_aggregate_context(context, size) else { return nil }
        let place = room.assumingMemoryBound(to: UnsafeRawPointer?.self)
        if let known = place.pointee {
            return Unmanaged<Total>.fromOpaque(known).takeUnretainedValue()
        }
        let total = Total()
        place.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
        return total
    }

    private static func finish(_ context: OpaquePointer?) {
        // No room where there was no row.
        let place = sqlite3_aggregate_context(context, 0)?
            .assumingMemoryBound(to: UnsafeRawPointer?.self)
        let total = place?.pointee.map { Unmanaged<Total>.fromOpaque($0).takeRetainedValue() }
        place?.pointee = nil
        if let failure = total?.failure { return sqlite3_result_error(context, failure, -1) }
        let sum = total?.sum ?? 0
        sqlite3_result_text(context, sum.description, -1, larder_sqlite3_transient())
    }
}
