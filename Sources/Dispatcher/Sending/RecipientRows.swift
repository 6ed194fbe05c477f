import Campaigns
import Postgres
import Store

/// The tokens and values of a batch's recipients, borrowed from the database's answer without a copy.
struct RecipientRows: Sendable {
    private let rows: PostgresRows
    /// The row of each recipient; -1 if the device was removed since planning, or if it was not read.
    private let rowIndexes: [Int32]
    /// The indices of the recipients that were read; nil: all.
    private let some: Set<Int32>?

    /// `some` are the indices of the recipients that were read; nil: all. Both sides are sorted by id, so one pass
    /// pairs them.
    init(rows: PostgresRows, of batch: ClaimedBatch, some: [Int32]? = nil) throws(PostgresError) {
        var rowIndexes = [Int32](repeating: -1, count: batch.recipients.count)
        var row = 0
        for (index, recipient) in batch.recipients.enumerated() {
            while row < rows.count, try rows[row][0, as: Int64.self] < recipient { row += 1 }
            guard row < rows.count else { break }
            if try rows[row][0, as: Int64.self] == recipient { rowIndexes[index] = Int32(row) }
        }
        self.rows = rows
        self.rowIndexes = rowIndexes
        self.some = some.map(Set.init)
    }

    /// Whether all these recipients were read. For others, a missing row says nothing about the device.
    func cover(_ indices: [Int32]) -> Bool { some.map { $0.isSuperset(of: indices) } ?? true }

    /// A recipient's row; nil when the device has no token any more.
    func row(of index: Int) -> Int? {
        let row = Int(rowIndexes[index])
        return row >= 0 && rows.lend(row: row, column: 1) != nil ? row : nil
    }

    /// Valid as long as these rows.
    func token(_ row: Int) -> UnsafeRawBufferPointer {
        rows.lend(row: row, column: 1) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The code of the reason to suppress the push; nil to send it.
    func refusal(_ row: Int) -> UInt8? {
        // The low byte of a smallint: codes are bytes.
        guard let code = rows.lend(row: row, column: 2)?.last, code != 0 else { return nil }
        return code
    }

    /// The value at a position of the content's needs, nil for NULL. Valid as long as these rows.
    func value(_ position: Int, of row: Int) -> UnsafeRawBufferPointer? { rows.lend(row: row, column: 3 &+ position) }
}
