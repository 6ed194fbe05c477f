public import Application
import Campaigns
import Crypto
public import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
public import Store

/// Pushes that an app's server wants sent at once, and what became of them.
public struct PushRoutes: RouteGroup {
    private let pusher: any Pusher
    private let preparation: PushPreparation
    private let devices: AddressedDeviceStore
    private let kept: PushKeyStore
    private let sent: SentPushStore
    private let messageKeys: MessageKeyStore

    /// The stores' pool is pinned to `loop`.
    public init(
        stores: Stores, pusher: any Pusher, media: any MediaFinder, topics: TopicKeys, on loop: EventLoop
    ) {
        self.pusher = pusher
        devices = stores.addressedDevices
        kept = stores.pushKeys
        sent = stores.sentPushes
        messageKeys = stores.messageKeys
        preparation = PushPreparation(
            apps: stores.apps, contents: Contents(stores: stores, media: media),
            lookup: TargetLookup(stores.targets, on: loop), clock: stores.clock, credentials: stores.credentials,
            topics: topics)
    }

    public func add(to routes: inout Routes) {
        routes.addForApp(.post, "/pushes", for: .secret(.pushesSend), bodyLimit: TemplateRoutes.bodyLimit) {
            [self] call in try await send(call)
        }
        routes.addForApp(.get, "/pushes/{push}", for: .secret(.pushesSend)) { [self] call in
            try await report(call)
        }
    }

    // MARK: Sending

    private func send(_ call: AppCall) async throws -> Response {
        try ObjectReader.checkContentType(call.request)
        let bytes = try await call.request.body.collect()
        var body = try ObjectReader(body: bytes)
        let draft = PushDraft(&body)
        let key = draft.isDryRun ? nil : try IdempotencyKey(call.request, body: bytes)
        if let key, let found = try await kept.find(key, app: call.app) {
            return try await respond(to: found.answer(to: key), draft, call.app)
        }
        let prepared = try await preparation.prepare(draft, &body, app: call.app)
        if draft.isDryRun { return PushAnswers.dryRun(prepared) }
        guard !prepared.recipients.isEmpty else { return PushAnswers.nobody(prepared.targets) }
        let answer = try await pusher.answer(
            to: PushRequest(
                app: call.app, options: prepared.options,
                recipients: prepared.recipients.map {
                    PushRequest.Recipient(
                        target: $0.target, device: $0.device.id, environment: $0.device.environment,
                        content: $0.content)
                },
                key: key))
        guard case .taken(let receipt) = answer else { return try await respond(to: answer, draft, call.app) }
        let installations = prepared.recipients.map { ($0.device.id, $0.device.installation) }
        return PushAnswers.accepted(
            receipt, of: prepared.targets, Dictionary(installations) { first, _ in first })
    }

    private func respond(to answer: PushAnswer, _ draft: PushDraft, _ app: App.ID) async throws -> Response {
        switch answer {
        case .taken(let receipt), .takenBefore(let receipt):
            let ids = receipt.entries.map { Device.ID(rawValue: $0.id.device) }
            let installations = try await devices.installations(of: ids, app: app)
            // The body is the one of before, so its targets are.
            return PushAnswers.accepted(receipt, of: draft.targets?.count ?? 0, installations)
        case .keyInUse: throw Refusal.idempotencyKeyInUse
        case .noSuchApp: throw Refusal.notFound(.app)
        }
    }

    // MARK: What became of it

    private func report(_ call: AppCall) async throws -> Response {
        let text = call.request.parameters["push"] ?? ""
        let keys = try await messageKeys.messageKeys(app: call.app)
        let pushes: [SentPush]
        if let id = PushRequestID(text) {
            pushes = try await sent.pushes(of: id, app: call.app)
        } else if let id = MessageID(text: text.utf8), Array(keys.values).verify(id) {
            pushes = try await sent.push(id, app: call.app).map { [$0] } ?? []
        } else {
            pushes = []
        }
        guard !pushes.isEmpty else { throw Refusal.notFound(.push) }
        return PushAnswers.report(
            text,
            pushes.compactMap { push in
                keys[push.messageKeyVersion].map { key in
                    (push, MessageID(messageNumber: push.messageNumber, device: push.device.rawValue, key: key))
                }
            })
    }
}

extension Pusher {
    /// As `GroupCommit` answers, with the error that says it to whoever asked.
    fileprivate func answer(to request: PushRequest) async throws -> PushAnswer {
        do throws(GroupCommitError) {
            return try await send(request)
        } catch {
            guard case .unavailable(let reason) = error, reason.leavesDoubt else { throw error.answer }
            throw APIError.unavailable(
                "database-unavailable",
                "The database cannot be reached at the moment, and it may have taken this. Send it again under the same "
                    + "Idempotency-Key; without one it may go twice.", retryAfter: ErrorRendering.retryAfterSeconds)
        }
    }
}
