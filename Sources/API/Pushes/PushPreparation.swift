import Application
import Campaigns
import EventLoop
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Addresses and composes transactional pushes, so that all problems are found before anything is stored.
///
/// Apps' settings and templates are cached for `cacheLifetime`.
struct PushPreparation: Sendable {
    /// An hour, in seconds: most transactional pushes are useless after that.
    static let defaultExpiration = 3_600
    /// The maximum age of cached settings and templates.
    static let cacheLifetime = Duration.seconds(2)
    static let capacity = 256

    private struct TemplateCacheKey: Hashable {
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
    private let topics: TopicKeyCache
    private let cachedApps = ExpiringCache<App.ID, CachedApp>(lifetime: cacheLifetime, capacity: capacity)
    private let templates = ExpiringCache<TemplateCacheKey, CheckedPush>(lifetime: cacheLifetime, capacity: capacity)

    init(
        apps: AppStore, contents: ContentLoader, lookup: TargetLookup, clock: DatabaseClock,
        credentials: CredentialStore, topics: TopicKeyCache
    ) {
        self.apps = apps
        check = PushContentCheck(contents: contents)
        self.lookup = lookup
        self.clock = clock
        self.credentials = credentials
        self.topics = topics
    }

    private struct CachedApp: Sendable {
        let record: AppRecord
        /// The environments for which the app has a credential.
        let environments: Set<PushEnvironment>
    }

    struct Prepared {
        let options: PushOptions
        let recipients: [Recipient]
        let targets: Int
        /// The indexes of targets that have too many devices.
        let skipped: [Int]
        /// Warnings and notes.
        let problems: [Problem]
    }

    struct Recipient {
        let target: Int
        let device: AddressedDevice
        let content: PushRequest.Content
        /// In bytes; nil if no payload could be composed.
        let payloadSize: Int?
    }

    /// Throws all problems together.
    func prepare(_ draft: PushDraft, _ body: inout ObjectReader, app: App.ID) async throws -> Prepared {
        let app = try await cachedApp(app)
        let checked = try await checked(draft, app.record)
        body.refuse(checked?.errors ?? [])
        try await refuseUnknownTopic(draft, &body, app.record.id)
        let kind = kind(draft, checked, &body)
        try body.finish()
        guard let checked, let targets = draft.targets, let kind else { throw APIError(problems: []) }
        let limit = PushRequest.maximumDevices
        let found = try await lookup.devices(of: targets, app: app.record.id, kind: kind)
        var devices = [Int](repeating: 0, count: targets.count)
        for (target, _) in found { devices[target] += 1 }
        let skipped = PushTargetLimit.excess(of: devices, limit: limit)
        guard skipped.isEmpty || found.contains(where: { !skipped.contains($0.target) }) else {
            throw APIError.tooManyDevices(limit: limit)
        }
        let now = try await clock.now()
        return Prepared(
            options: try checked.options(app.record, expirationSeconds: Self.defaultExpiration, now: now),
            recipients: found.lazy.filter { !skipped.contains($0.target) }.map {
                recipient($0.device, $0.target, draft, checked, app, now)
            },
            targets: targets.count, skipped: skipped.sorted(), problems: checked.problems)
    }

    // MARK: Caches

    private func cachedApp(_ id: App.ID) async throws -> CachedApp {
        try await cachedApps.value(for: id) {
            let record = try await apps.find(id)
            return CachedApp(record: record, environments: try await credentials.environments(of: id))
        }
    }

    /// Checks the content. Templates are cached by everything that changes the result; an expiration is set afterwards,
    /// and requests with a collapse id bypass the cache.
    private func checked(_ draft: PushDraft, _ app: AppRecord) async throws -> CheckedPush? {
        guard let source = draft.source else { return nil }
        guard case .template(let id, let version) = source, draft.overrides.collapseID == nil else {
            return try await check.check(source, draft.overrides, app)
        }
        let overrides = draft.overrides
        let key = TemplateCacheKey(
            app: app.id, template: id, version: version, pushType: overrides.pushType, priority: overrides.priority)
        return try await templates.value(for: key) { try await check.check(source, overrides.withoutExpiration, app) }
            .expiring(after: overrides.expirationSeconds)
    }

    private func refuseUnknownTopic(_ draft: PushDraft, _ body: inout ObjectReader, _ app: App.ID) async throws {
        guard let topic = draft.topic else { return }
        guard try await !topics.unknown(among: [topic.text], of: app).isEmpty else { return }
        body.refuse("topic", "unknown-topic", "is not a topic of this app")
    }

    // MARK: Recipients and payloads

    private func kind(_ draft: PushDraft, _ checked: CheckedPush?, _ body: inout ObjectReader) -> DeviceKind? {
        guard let checked, let targets = draft.targets else { return nil }
        if let kind = checked.tokenKind { return kind }
        if case .tokens = targets { return .liveActivityUpdate }
        body.refuse(
            "push_type", "tokens-required",
            "requires `tokens`, because each Live Activity has a token of its own")
        return nil
    }

    private func recipient(
        _ device: AddressedDevice, _ target: Int, _ draft: PushDraft, _ checked: CheckedPush, _ app: CachedApp,
        _ now: Int
    ) -> Recipient {
        func suppressed(_ code: UInt8, size: Int? = nil) -> Recipient {
            Recipient(target: target, device: device, content: .suppressed(code), payloadSize: size)
        }
        // The query skips retired devices.
        guard let token = device.token else { return suppressed(OutcomeCode.suppressedRemoved) }
        if device.isDenied, checked.pushType.needsPermission { return suppressed(OutcomeCode.suppressedDenied) }
        if let code = OptOut.suppression(ofTransactional: draft.topic, by: device.optOuts) { return suppressed(code) }
        switch checked.message.payload(
            for: device.person.replacingAttributes(with: draft.values), id: PushPayload.placeholderID, now: now)
        {
        case .missing: return suppressed(OutcomeCode.suppressedValueMissing)
        case .unusable: return suppressed(OutcomeCode.suppressedValueUnusable)
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
