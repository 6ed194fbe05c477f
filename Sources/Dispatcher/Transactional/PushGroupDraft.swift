import APNS
import Application
import Campaigns
import Crypto
import EventLoop
import Postgres
import Store

/// Requests with message numbers and ids: the batches to store and send, and the receipts to answer with.
struct PushGroupDraft {
    let batches: [PushBatch]
    let receipts: [PushReceipt]
    let idempotencyKeys: [StoredPushKey]
    private let requests: [PushRequest]
    private let grouping: PushGrouping
    /// By batch and index.
    private let ids: [[MessageID]]

    /// `numbers` has one number for each batch, `keys` one key for each app.
    init(
        _ requests: [PushRequest], _ grouping: PushGrouping, numbers: [Int64],
        keys: [App.ID: (version: Int16, key: HMACKey)]
    ) {
        self.requests = requests
        self.grouping = grouping
        var batches: [PushBatch] = []
        var ids: [[MessageID]] = []
        for (batch, number) in zip(grouping.batches, numbers) {
            guard let key = keys[batch.app] else { preconditionFailure("the app has no message key") }
            batches.append(
                PushBatch(
                    app: batch.app, environment: batch.environment, messageNumber: number,
                    messageKeyVersion: key.version, recipients: batch.recipients, outcomes: batch.outcomes))
            ids.append(batch.recipients.map { MessageID(messageNumber: number, device: $0, key: key.key) })
        }
        self.batches = batches
        self.ids = ids
        let receipts = zip(requests, grouping.parts).map { request, parts in
            PushReceipt(
                id: PushRequestID(
                    parts.map { .init(messageNumber: numbers[$0.batch], first: $0.first, count: $0.count) }),
                entries: parts.flatMap { part in
                    (part.first..<part.first + part.count).map { index in
                        let batch = grouping.batches[part.batch]
                        let member = batch.members[index]
                        return PushReceipt.Entry(
                            target: requests[member.request].recipients[member.recipient].target,
                            id: ids[part.batch][index], code: batch.outcomes[index])
                    }
                }, skippedTargets: request.skippedTargets)
        }
        self.receipts = receipts
        idempotencyKeys = requests.indices.compactMap { index in
            requests[index].key.map { StoredPushKey(app: requests[index].app, key: $0, receipt: receipts[index]) }
        }
    }

    var names: [PushBatch.Name] { batches.map(\.name) }

    /// Recipients without an outcome.
    var unresolved: Int { grouping.unresolved }

    /// The batches that were stored and have pushes to send. With `isDelayed` the requests are some time old, and
    /// pushes to be delivered immediately or never have expired. `now` is in seconds since 1970.
    func acceptedBatches(
        _ stored: [Int64: Batch.ID], leaseBegan: MonotonicTime, at now: Int, isDelayed: Bool = false
    ) -> [AcceptedBatch] {
        let shortest = isDelayed ? .zero : PushOptions.minimumRetryTime
        let retryDeadlines = requests.map { MonotonicTime.now() + $0.options.retryTime(at: now, atLeast: shortest) }
        return batches.indices.compactMap { index in
            guard let id = stored[batches[index].messageNumber] else { return nil }
            return acceptedBatch(index, id, leaseBegan, retryDeadlines)
        }
    }

    /// `retryDeadlines` are by request.
    private func acceptedBatch(
        _ number: Int, _ id: Batch.ID, _ leaseBegan: MonotonicTime, _ retryDeadlines: [MonotonicTime]
    ) -> AcceptedBatch? {
        let batch = grouping.batches[number]
        var headers: [PushHeaders] = []
        var known: [PushOptions: Int] = [:]
        var pushes: [AcceptedBatch.Push] = []
        for (index, member) in batch.members.enumerated() {
            let request = requests[member.request]
            guard case .push(let token, let payload) = request.recipients[member.recipient].content else { continue }
            let header = known[request.options] ?? headers.count
            if header == headers.count {
                headers.append(request.options.headers)
                known[request.options] = header
            }
            pushes.append(
                AcceptedBatch.Push(
                    index: index, id: ids[number][index], token: token, payload: payload, headers: header))
        }
        guard !pushes.isEmpty else { return nil }
        return AcceptedBatch(
            id: id, app: batch.app, environment: batch.environment, leaseBegan: leaseBegan, headers: headers,
            pushes: pushes,
            progress: PushProgress(
                outcomes: batch.outcomes, retryDeadlines: batch.members.map { retryDeadlines[$0.request] }),
            recipients: batch.recipients)
    }
}
