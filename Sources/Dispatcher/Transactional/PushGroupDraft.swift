import APNS
import Application
import Campaigns
import Crypto
import EventLoop
import Postgres
import Store

/// Requests with numbers and ids: what is to be stored, answered and sent.
struct PushGroupDraft {
    let batches: [PushBatch]
    let receipts: [PushReceipt]
    let kept: [StoredPushKey]
    private let requests: [PushRequest]
    private let grouping: PushGrouping
    /// By batch and place.
    private let ids: [[MessageID]]

    /// There is a number for each batch, and a key for each app.
    init(
        _ requests: [PushRequest], _ grouping: PushGrouping, numbers: [Int64],
        keys: [App.ID: (version: Int16, key: HMACKey)]
    ) {
        self.requests = requests
        self.grouping = grouping
        var batches: [PushBatch] = []
        var ids: [[MessageID]] = []
        for (batch, number) in zip(grouping.batches, numbers) {
            guard let key = keys[batch.app] else { preconditionFailure("an app without a key was refused before") }
            batches.append(
                PushBatch(
                    app: batch.app, environment: batch.environment, messageNumber: number,
                    messageKeyVersion: key.version, recipients: batch.recipients, outcomes: batch.outcomes))
            ids.append(batch.recipients.map { MessageID(messageNumber: number, device: $0, key: key.key) })
        }
        self.batches = batches
        self.ids = ids
        let receipts = grouping.parts.map { parts in
            PushReceipt(
                id: PushRequestID(
                    parts.map { .init(messageNumber: numbers[$0.batch], first: $0.first, count: $0.count) }),
                entries: parts.flatMap { part in
                    (part.first..<part.first + part.count).map { place in
                        let batch = grouping.batches[part.batch]
                        let member = batch.members[place]
                        return PushReceipt.Entry(
                            target: requests[member.request].recipients[member.recipient].target,
                            id: ids[part.batch][place], code: batch.outcomes[place])
                    }
                })
        }
        self.receipts = receipts
        kept = requests.indices.compactMap { place in
            requests[place].key.map { StoredPushKey(app: requests[place].app, key: $0, receipt: receipts[place]) }
        }
    }

    var names: [PushBatch.Name] { batches.map(\.name) }

    var recipients: Int { batches.reduce(0) { $0 + $1.recipients.count } }

    /// Those that were stored and have somebody to send to. With `areLate` it is some time since they were asked for, and
    /// "now or never" is over. `now` is in seconds since 1970.
    func takenBatches(
        _ stored: [Int64: Batch.ID], leaseBegan: MonotonicTime, at now: Int, areLate: Bool = false
    ) -> [TakenBatch] {
        let shortest = areLate ? .zero : PushOptions.shortestPatience
        let patience = requests.map { MonotonicTime.now() + $0.options.patience(at: now, atLeast: shortest) }
        return batches.indices.compactMap { place in
            guard let id = stored[batches[place].messageNumber] else { return nil }
            return takenBatch(place, id, leaseBegan, patience)
        }
    }

    /// `patience` is by request.
    private func takenBatch(
        _ place: Int, _ id: Batch.ID, _ leaseBegan: MonotonicTime, _ patience: [MonotonicTime]
    ) -> TakenBatch? {
        let batch = grouping.batches[place]
        var headers: [PushHeaders] = []
        var known: [PushOptions: Int] = [:]
        var pushes: [TakenBatch.Push] = []
        for (index, member) in batch.members.enumerated() {
            let request = requests[member.request]
            guard case .push(let token, let payload) = request.recipients[member.recipient].content else { continue }
            let number = known[request.options] ?? headers.count
            if number == headers.count {
                headers.append(request.options.headers)
                known[request.options] = number
            }
            pushes.append(
                TakenBatch.Push(index: index, id: ids[place][index], token: token, payload: payload, headers: number))
        }
        guard !pushes.isEmpty else { return nil }
        return TakenBatch(
            id: id, app: batch.app, environment: batch.environment, leaseBegan: leaseBegan, headers: headers,
            pushes: pushes,
            progress: PushProgress(
                outcomes: batch.outcomes, patience: batch.members.map { patience[$0.request] }),
            recipients: batch.recipients)
    }
}
