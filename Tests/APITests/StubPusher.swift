import API
import Application
import Campaigns
import Postgres
import Store

/// Takes pushes as a sender does, and sends nothing: a batch of its own for each environment of each request.
struct StubPusher: Pusher {
    let stores: Stores
    let owner = ProcessID()

    func send(_ request: PushRequest) async throws(GroupCommitError) -> PushSubmission {
        do {
            return try await store(request)
        } catch {
            throw .refused(error)
        }
    }

    private func store(_ request: PushRequest) async throws -> PushSubmission {
        let store = stores.pushes(owner: owner)
        let keys = stores.messageKeys
        guard let key = try await keys.messageKeys(app: request.app).max(by: { $0.key < $1.key }) else {
            return .noSuchApp
        }
        var batches: [PushBatch] = []
        var entries: [PushReceipt.Entry] = []
        for environment in PushEnvironment.allCases {
            let own = request.recipients.filter { $0.environment == environment }
            guard !own.isEmpty else { continue }
            let number = try await store.messageNumbers(1)[0]
            let codes = own.map { if case .suppressed(let code) = $0.content { code } else { OutcomeCode.pending } }
            batches.append(
                PushBatch(
                    app: request.app, environment: environment, messageNumber: number, messageKeyVersion: key.key,
                    recipients: own.map(\.device.rawValue), outcomes: codes))
            entries += zip(own, codes).map { recipient, code in
                PushReceipt.Entry(
                    target: recipient.target,
                    id: MessageID(messageNumber: number, device: recipient.device.rawValue, key: key.value),
                    code: code)
            }
        }
        let receipt = PushReceipt(
            id: PushRequestID(
                batches.map { .init(messageNumber: $0.messageNumber, first: 0, count: $0.recipients.count) }),
            entries: entries, skippedTargets: request.skippedTargets)
        let kept = request.key.map { [StoredPushKey(app: request.app, key: $0, receipt: receipt)] } ?? []
        _ = try await store.insert(batches, keeping: kept, lease: .seconds(60))
        return .accepted(receipt)
    }
}
