import Campaigns
import Postgres
import Store

/// The tokens of a batch's recipients, and what their payloads are made of, lent from the database's answer without a
/// copy.
struct RecipientRows: Sendable {
    private let rows: PostgresRows
    /// For each recipient its row; -1: he has left since the plan.
    private let places: [Int32]

    /// Both sides are sorted by id, so one pass pairs them.
    init(rows: PostgresRows, of batch: ClaimedBatch) throws(PostgresError) {
        var places = [Int32](repeating: -1, count: batch.recipients.count)
        var row = 0
        for (index, recipient) in batch.recipients.enumerated() {
            while row < rows.count, try rows[row][0, as: Int64.self] < recipient { row += 1 }
            guard row < rows.count else { break }
            if try rows[row][0, as: Int64.self] == recipient { places[index] = Int32(row) }
        }
        self.rows = rows
        self.places = places
    }

    /// A recipient's row; nil when he has no token any more.
    func row(of index: Int) -> Int? {
        let row = Int(places[index])
        return row >= 0 && rows.lend(row: row, column: 1) != nil ? row : nil
    }

    /// Valid while these rows are.
    func token(_ row: Int) -> UnsafeRawBufferPointer {
        rows.lend(row: row, column: 1) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Why he is not to get it after all; nil to send.
    func refusal(_ row: Int) -> UInt8? {
        // The low byte of a smallint: codes are bytes.
        guard let code = rows.lend(row: row, column: 2)?.last, code != 0 else { return nil }
        return code
    }

    /// The value at a place of the content's needs, nil for NULL; valid while these rows are.
    func value(_ place: Int, of row: Int) -> UnsafeRawBufferPointer? { rows.lend(row: row, column: 3 &+ place) }
}
