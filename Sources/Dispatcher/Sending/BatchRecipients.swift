import Application
import Campaigns
import EventLoop
import Logging
import Store

/// The tokens and values of a batch's recipients, read when they are needed, and again during slow sends: tokens, values
/// and permission change meanwhile.
final class BatchRecipients {
    private let batch: ClaimedBatch
    private let job: SendingJob
    private var rows: RecipientRows?
    private var readAt = MonotonicTime.now()

    init(of batch: ClaimedBatch, job: SendingJob) {
        self.batch = batch
        self.job = job
    }

    /// Rows that hold at least these recipients below the position of the batch. With `onlyThem` nobody else is read:
    /// for a batch that has left its place. A late answer may have added one that was not read.
    func rows(for unsent: [Int32], onlyThem: Bool) async throws -> RecipientRows {
        let process = job.dependencies
        let usable = rows.flatMap { $0.cover(unsent) ? $0 : nil }
        if let usable, .now() - readAt <= process.options.recipientsValidity { return usable }
        do {
            let rows = try await read(some: onlyThem ? unsent : nil)
            self.rows = rows
            return rows
        } catch {
            guard let usable else { throw error }
            process.logger.warning(
                "recipients not refreshed", metadata: .batch(batch, ["reason": "\(error)"]))
            return usable
        }
    }

    func forget() { rows = nil }

    private func read(some: [Int32]?) async throws -> RecipientRows {
        readAt = .now()
        let rows = try await job.dependencies.recipients.recipients(
            of: batch, some: some.map { $0.map { batch.recipients[Int($0)] } },
            with: job.content.needs, values: job.content.source.values, consent: job.content.source.consent)
        return try RecipientRows(rows: rows, of: batch, some: some)
    }
}
