import Campaigns
import Postgres
import Store

/// The tokens of a batch's recipients, lent from the database's answer without a copy.
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

    /// False when the recipient has no token any more.
    func withToken(of index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        let row = places[index]
        guard row >= 0 else { return false }
        return rows.withBytes(row: Int(row), column: 1) { token in
            guard let token else { return false }
            body(token)
            return true
        }
    }
}
