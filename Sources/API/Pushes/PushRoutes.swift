import Administration
import Application
import Campaigns
import Crypto
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Routes that send transactional pushes immediately and report their outcomes.
struct PushRoutes: RouteGroup {
    private let pusher: any Pusher
    private let preparation: PushPreparation
    private let devices: AddressedDeviceStore
    private let pushKeys: PushKeyStore
    private let sent: SentPushStore
    private let messageKeys: MessageKeyStore

    /// The stores' pool is pinned to `loop`.
    init(
        stores: Stores, pusher: any Pusher, contents: ContentLoader, topics: TopicKeyCache, on loop: EventLoop
    ) {
        self.pusher = pusher
        devices = stores.addressedDevices
        pushKeys = stores.pushKeys
        sent = stores.sentPushes
        messageKeys = stores.messageKeys
        preparation = PushPreparation(
            apps: stores.apps, contents: contents,
            lookup: TargetLookup(stores.targets, on: loop), clock: stores.clock, credentials: stores.credentials,
            topics: topics)
    }

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/pushes", for: .permission(.pushesSend), bodyLimit: TemplateRoutes.bodyLimit, audit: .people
        ) {
            [self] call in try await send(call)
        }
        routes.addForApp(.get, "/pushes/{push}", for: .permission(.pushesSend)) { [self] call in
            try await report(call)
        }
    }

    // MARK: Sending

    private func send(_ call: AppCall) async throws -> Response {
        try ObjectReader.checkContentType(call.request)
        let bytes = try await call.request.body.collect()
        var body = try ObjectReader(body: bytes)
        let draft = PushDraft(&body)
        let key = draft.isDryRun ? nil : try IdempotencyKey(call.request, of: call.caller.keyOwner, body: bytes)
        if let key, let found = try await pushKeys.find(key, app: call.app) {
            return try await respond(to: found.answer(to: key), draft, call)
        }
        let prepared = try await preparation.prepare(draft, &body, app: call.app)
        if draft.isDryRun { return PushResponses.dryRun(prepared, call.installationNames) }
        guard !prepared.recipients.isEmpty else { return PushResponses.nobody(prepared.targets) }
        let answer = try await pusher.answer(
            to: PushRequest(
                app: call.app, options: prepared.options,
                recipients: prepared.recipients.map {
                    PushRequest.Recipient(
                        target: $0.target, device: $0.device.id, environment: $0.device.environment,
                        content: $0.content)
                },
                skippedTargets: prepared.skipped, key: key))
        guard case .accepted(let receipt) = answer else { return try await respond(to: answer, draft, call) }
        let installations = prepared.recipients.map { ($0.device.id, $0.device.installation) }
        return PushResponses.accepted(
            receipt, of: prepared.targets, Dictionary(installations) { first, _ in first }, call.installationNames)
    }

    private func respond(to answer: PushSubmission, _ draft: PushDraft, _ call: AppCall) async throws -> Response {
        switch answer {
        case .accepted(let receipt), .alreadyAccepted(let receipt):
            let ids = receipt.entries.map { Device.ID(rawValue: $0.id.device) }
            let installations = try await devices.installations(of: ids, app: call.app)
            // The body is the same as in the first request, and so are its targets.
            return PushResponses.accepted(
                receipt, of: draft.targets?.count ?? 0, installations, call.installationNames)
        case .keyInUse: throw Refusal.idempotencyKeyInUse
        case .noSuchApp: throw Refusal.notFound(.app)
        }
    }

    // MARK: Outcomes

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
        return PushResponses.report(
            text,
            pushes.compactMap { push in
                keys[push.messageKeyVersion].map { key in
                    (push, MessageID(messageNumber: push.messageNumber, device: push.device.rawValue, key: key))
                }
            }, call.installationNames)
    }
}

extension Pusher {
    /// Sends the request, and turns a `GroupCommitError` into an error for the client.
    fileprivate func answer(to request: PushRequest) async throws -> PushSubmission {
        do throws(GroupCommitError) {
            return try await send(request)
        } catch {
            guard case .unavailable(let reason) = error, reason.isAmbiguous else { throw error.answer }
            throw APIError.databaseUnavailableForPushes
        }
    }
}
