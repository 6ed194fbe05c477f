import Application
import Campaigns
import JSON
import Notifications
import Store

/// A message that may be sent to single devices, and how.
struct CheckedPush: Sendable {
    let message: PushMessage
    /// Errors, warnings and notes, with paths of the request.
    let problems: [Problem]
    let pushType: PushType
    let priority: Priority?
    var expirationSeconds: Int?
    let collapseID: String?
    /// A Live Activity that begins has a token of its own kind.
    let startsActivity: Bool

    var errors: [Problem] { problems.filter { $0.severity == .error } }

    /// Which of a device's tokens such a push goes to. Nil when it is not the device's but an activity's.
    var tokenKind: DeviceKind? { pushType.tokenKind(startsActivity: startsActivity) }

    /// With the request's own, if it has one.
    func expiring(after seconds: Int?) -> CheckedPush {
        var push = self
        push.expirationSeconds = seconds ?? expirationSeconds
        return push
    }

    /// `now` is in seconds since 1970. Without errors it does not throw.
    func options(_ app: AppRecord, expirationSeconds standard: Int, now: Int) throws -> PushOptions {
        let seconds = expirationSeconds ?? standard
        return PushOptions(
            bundleID: app.settings.bundleID, pushType: pushType, priority: priority ?? pushType.defaultPriority,
            expiration: seconds == 0 ? 0 : now + seconds, collapseID: try collapseID.map { try CollapseID($0) })
    }
}

/// Checks what a request wants to be sent before anything of it is.
struct PushContentCheck: Sendable {
    let contents: Contents

    func check(_ source: PushSource, _ wishes: PushWishes, _ app: AppRecord) async throws -> CheckedPush {
        switch source {
        case .payload(let payload): return check(payload, wishes, app)
        case .content(let content): return try await check(content, wishes, app, at: "content")
        case .template(let id, let version):
            let content = try await contents.stored(id, app: app.id, version: version).content
            return try await check(content, wishes, app, at: "template")
        }
    }

    private func check(_ payload: JSON, _ wishes: PushWishes, _ app: AppRecord) -> CheckedPush {
        let pushType = wishes.pushType ?? .alert
        let key = app.settings.messageIDKey
        let rules = PushRules(
            pushType: pushType, priority: wishes.priority, collapseID: wishes.collapseID, messageIDKey: key)
        return CheckedPush(
            message: .constant(payload, messageIDKey: key),
            problems: (rules.problems(in: payload) + PlainContent.warnings(in: payload)).map(\.ofCampaign),
            pushType: pushType, priority: wishes.priority, expirationSeconds: wishes.expirationSeconds,
            collapseID: wishes.collapseID, startsActivity: payload.startsActivity)
    }

    /// The request's wishes stand over the content's.
    private func check(
        _ content: TemplateContent, _ wishes: PushWishes, _ app: AppRecord, at path: String
    ) async throws -> CheckedPush {
        var content = content
        content.pushType = wishes.pushType ?? content.pushType
        content.priority = wishes.priority ?? content.priority
        content.collapseID = wishes.collapseID ?? content.collapseID
        content.expirationSeconds = wishes.expirationSeconds ?? content.expirationSeconds
        let context = try await contents.context(for: content, app: app.id)
        let compiled: CompiledContent?
        do throws(Problems) { compiled = try CompiledContent(content, in: context) } catch { compiled = nil }
        return CheckedPush(
            // What does not compile has errors, and is not sent.
            message: compiled.map { .composed(content, $0, context) }
                ?? .constant(content.payload, messageIDKey: context.messageIDKey),
            problems: content.report(in: context).problems.map { $0.inside(path) }, pushType: content.pushType,
            priority: content.priority, expirationSeconds: content.expirationSeconds,
            collapseID: content.collapseID, startsActivity: content.payload.startsActivity)
    }
}

extension PushType {
    /// Which of an app's tokens it goes to; nil for activities that are under way, which have one each.
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
