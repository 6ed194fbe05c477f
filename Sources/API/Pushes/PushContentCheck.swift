import Application
import Campaigns
import JSON
import Notifications
import Store

/// A checked message for single devices, with its options.
struct CheckedPush: Sendable {
    let message: PushMessage
    /// Errors, warnings and notes, with their paths in the request.
    let problems: [Problem]
    let pushType: PushType
    let priority: Priority?
    var expirationSeconds: Int?
    let collapseID: String?
    /// Whether the push starts a Live Activity, which has a token of its own kind.
    let startsActivity: Bool

    var errors: [Problem] { problems.filter { $0.severity == .error } }

    /// The kind of token that the push is sent to. Nil for an update of a Live Activity, which has its own token.
    var tokenKind: DeviceKind? { pushType.tokenKind(startsActivity: startsActivity) }

    /// The same push with the request's expiration, if it has one.
    func expiring(after seconds: Int?) -> CheckedPush {
        var push = self
        push.expirationSeconds = seconds ?? expirationSeconds
        return push
    }

    /// `now` is in seconds since 1970. Does not throw if there are no errors.
    func options(_ app: AppRecord, expirationSeconds standard: Int, now: Int) throws -> PushOptions {
        let seconds = expirationSeconds ?? standard
        return PushOptions(
            bundleID: app.settings.bundleID, pushType: pushType, priority: priority ?? pushType.defaultPriority,
            expiration: seconds == 0 ? 0 : now + seconds, collapseID: try collapseID.map { try CollapseID($0) })
    }
}

/// Checks the content of a request before anything is sent.
struct PushContentCheck: Sendable {
    let contents: ContentLoader

    func check(_ source: PushSource, _ overrides: PushOverrides, _ app: AppRecord) async throws -> CheckedPush {
        switch source {
        case .payload(let payload): return check(payload, overrides, app)
        case .content(let content): return try await check(content, overrides, app, at: "content")
        case .template(let id, let version):
            let content = try await contents.stored(id, app: app.id, version: version).content
            return try await check(content, overrides, app, at: "template")
        }
    }

    private func check(_ payload: JSON, _ overrides: PushOverrides, _ app: AppRecord) -> CheckedPush {
        let pushType = overrides.pushType ?? .alert
        let key = app.settings.messageIDKey
        let rules = PushRules(
            pushType: pushType, priority: overrides.priority, collapseID: overrides.collapseID, messageIDKey: key)
        return CheckedPush(
            message: .constant(payload, messageIDKey: key),
            problems: (rules.problems(in: payload) + PlainContent.warnings(in: payload)).map(\.atCampaignPath),
            pushType: pushType, priority: overrides.priority, expirationSeconds: overrides.expirationSeconds,
            collapseID: overrides.collapseID, startsActivity: payload.startsActivity)
    }

    /// The request's overrides take precedence over the content's settings.
    private func check(
        _ content: TemplateContent, _ overrides: PushOverrides, _ app: AppRecord, at path: String
    ) async throws -> CheckedPush {
        var content = content
        content.pushType = overrides.pushType ?? content.pushType
        content.priority = overrides.priority ?? content.priority
        content.collapseID = overrides.collapseID ?? content.collapseID
        content.expirationSeconds = overrides.expirationSeconds ?? content.expirationSeconds
        let context = try await contents.context(for: content, app: app.id)
        let compiled: CompiledContent?
        do throws(Problems) { compiled = try CompiledContent(content, in: context) } catch { compiled = nil }
        return CheckedPush(
            // Content that doesn't compile has errors, so it is not sent.
            message: compiled.map { .composed(content, $0, context) }
                ?? .constant(content.payload, messageIDKey: context.messageIDKey),
            problems: content.report(in: context).problems.map { $0.inside(path) }, pushType: content.pushType,
            priority: content.priority, expirationSeconds: content.expirationSeconds,
            collapseID: content.collapseID, startsActivity: content.payload.startsActivity)
    }
}

extension PushType {
    /// The kind of token that pushes of this type are sent to; nil for running Live Activities, each of which has its
    /// own.
    func tokenKind(startsActivity: Bool) -> DeviceKind? {
        switch self {
        case .alert, .background, .mdm: .alert
        case .voip: .voip
        case .liveactivity: startsActivity ? .liveActivityStart : nil
        case .widgets: .widget
        case .controls: .control
        case .complication: .complication
        case .location: .location
        case .pushtotalk: .pushToTalk
        case .fileprovider: .fileProvider
        }
    }
}

extension JSON {
    fileprivate var startsActivity: Bool { self["aps"]?["event"] == "start" }
}
