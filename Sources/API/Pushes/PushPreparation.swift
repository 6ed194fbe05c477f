import Application
import Campaigns
import EventLoop
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Addresses and composes transactional pushes: all that can be wrong is found before anything is stored.
///
/// What many requests have in common, an app's settings and its templates, is remembered for a moment.
struct PushPreparation: Sendable {
    /// An hour: who is away for longer has no more use for most such pushes.
    static let defaultExpiration = 3_600
    /// How old an app's settings and templates may be.
    static let memory = Duration.seconds(2)
    static let capacity = 256

    private struct TemplatePlace: Hashable {
        let app: App.ID
        let template: Template.ID
        let version: Int?
        let pushType: PushType?
        let priority: Priority?
    }

    private let apps: AppStore
    private let check: PushContentCheck
    private let lookup: TargetLookup
    private let clock: DatabaseClock
    private let credentials: CredentialStore
    private let topics: TopicKeys
    private let known = ExpiringCache<App.ID, KnownApp>(lifetime: memory, capacity: capacity)
    private let templates = ExpiringCache<TemplatePlace, CheckedPush>(lifetime: memory, capacity: capacity)

    init(
        apps: AppStore, contents: Contents, lookup: TargetLookup, clock: DatabaseClock,
        credentials: CredentialStore, topics: TopicKeys
    ) {
        self.apps = apps
        check = PushContentCheck(contents: contents)
        self.lookup = lookup
        self.clock = clock
        self.credentials = credentials
        self.topics = topics
    }

    private struct KnownApp: Sendable {
        let record: AppRecord
        /// Those that a credential signs for.
        let environments: Set<PushEnvironment>
    }

    struct Prepared {
        let options: PushOptions
        let recipients: [Recipient]
        let targets: Int
        /// Warnings and notes.
        let problems: [Problem]
    }

    struct Recipient {
        let target: Int
        let device: AddressedDevice
        let content: PushRequest.Content
        /// Bytes; nil without one.
        let payloadSize: Int?
    }

    /// Throws all that is wrong at once.
    func prepare(_ draft: PushDraft, _ body: inout ObjectReader, app: App.ID) async throws -> Prepared {
        let app = try await knownApp(app)
        let checked = try await checked(draft, app.record)
        body.refuse(checked?.errors ?? [])
        try await refuseUnknownTopic(draft, &body, app.record.id)
        let kind = kind(draft, checked, &body)
        try body.finish()
        guard let checked, let targets = draft.targets, let kind else { throw APIError(problems: []) }
        let limit = PushRequest.maximumDevices
        let found = try await lookup.devices(of: targets, app: app.record.id, kind: kind)
        guard found.count <= limit else {
            throw APIError(
                .unprocessableContent, "too-many-devices",
                "These have more than \(limit) devices together. Send to fewer of them at a time.", field: "user_ids")
        }
        let now = try await clock.now()
        return Prepared(
            options: try checked.options(app.record, expirationSeconds: Self.defaultExpiration, now: now),
            recipients: found.map { recipient($0.device, $0.target, draft, checked, app, now) },
            targets: targets.count, problems: checked.problems)
    }

    // MARK: What is remembered

    private func knownApp(_ id: App.ID) async throws -> KnownApp {
        try await known.value(for: id) {
            let record = try await apps.find(id)
            return KnownApp(record: record, environments: try await credentials.environments(of: id))
        }
    }

    /// A template is checked with what changes what it says. A collapse id and an expiration are each request's own.
    private func checked(_ draft: PushDraft, _ app: AppRecord) async throws -> CheckedPush? {
        guard let source = draft.source else { return nil }
        guard case .template(let id, let version) = source, draft.wishes.collapseID == nil else {
            return try await check.check(source, draft.wishes, app)
        }
        let wishes = draft.wishes
        let place = TemplatePlace(
            app: app.id, template: id, version: version, pushType: wishes.pushType, priority: wishes.priority)
        return try await templates.value(for: place) { try await check.check(source, wishes.withoutExpiration, app) }
            .expiring(after: wishes.expirationSeconds)
    }

    private func refuseUnknownTopic(_ draft: PushDraft, _ body: inout ObjectReader, _ app: App.ID) async throws {
        guard let topic = draft.topic else { return }
        guard try await !topics.unknown(among: [topic.text], of: app).isEmpty else { return }
        body.refuse("topic", "unknown-topic", "is not a topic of this app")
    }

    // MARK: Whom, and what

    private func kind(_ draft: PushDraft, _ checked: CheckedPush?, _ body: inout ObjectReader) -> DeviceKind? {
        guard let checked, let targets = draft.targets else { return nil }
        if let kind = checked.tokenKind { return kind }
        if case .tokens = targets { return .liveActivityUpdate }
        body.refuse(
            "push_type", "needs-tokens", "goes to one Live Activity, which has a token of its own: name it in tokens")
        return nil
    }

    private func recipient(
        _ device: AddressedDevice, _ target: Int, _ draft: PushDraft, _ checked: CheckedPush, _ app: KnownApp,
        _ now: Int
    ) -> Recipient {
        func suppressed(_ code: UInt8, size: Int? = nil) -> Recipient {
            Recipient(target: target, device: device, content: .suppressed(code), payloadSize: size)
        }
        // The query leaves retired devices out.
        guard let token = device.token else { return suppressed(OutcomeCode.suppressedRemoved) }
        if device.isDenied, checked.pushType.needsPermission { return suppressed(OutcomeCode.suppressedDenied) }
        if let topic = draft.topic, device.optOuts.contains(topic.text) {
            return suppressed(OutcomeCode.suppressedOptedOut)
        }
        switch checked.message.payload(for: device.person.with(draft.values), id: PushPayload.room, now: now) {
        case .missing: return suppressed(OutcomeCode.suppressedValueMissing)
        case .tooLong: return suppressed(OutcomeCode.suppressedTooLong)
        case .payload(let bytes):
            guard let payload = PushPayload(bytes) else { return suppressed(OutcomeCode.suppressedTooLong) }
            guard app.environments.contains(device.environment) else {
                return suppressed(OutcomeCode.suppressedNoCredential, size: payload.count)
            }
            return Recipient(
                target: target, device: device, content: .push(token, payload), payloadSize: payload.count)
        }
    }
}

extension SamplePerson {
    /// With these in place of attributes of the same names.
    fileprivate func with(_ values: [JSON.Member]) -> SamplePerson {
        guard !values.isEmpty, case .object(let members) = attributes else { return self }
        let names = Set(values.map { ExactText(text: $0.key) })
        var person = self
        person.attributes = .object(members.filter { !names.contains(ExactText(text: $0.key)) } + values)
        return person
    }
}
