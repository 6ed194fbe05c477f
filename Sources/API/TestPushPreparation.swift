import Campaigns
import Notifications
import Postgres
import Store

/// Checks a test push before anything of it is sent: what it says, and to whom.
struct TestPushPreparation: Sendable {
    let contents: Contents
    let devices: AddressedDeviceStore

    /// As of a campaign: a day.
    private static let defaultExpiration = 86_400

    struct Recipient {
        /// Nil for a pasted token.
        let device: Device.ID?
        let installation: String?
        let nickname: String?
        let token: DeviceToken
        let environment: PushEnvironment
        let person: SamplePerson
    }

    struct Prepared {
        let message: TestPushMessage
        let options: TestPushOptions
        let recipients: [Recipient]
        /// Warnings and notes.
        let problems: [Problem]
    }

    /// Throws all that is wrong at once.
    func prepare(_ draft: TestPushDraft, _ body: inout BodyReader, _ app: AppRecord) async throws -> Prepared {
        let now = Int(Timestamp.now.secondsSince1970)
        var checked: Checked?
        switch draft.source {
        case .payload(let payload): checked = check(payload, draft, app)
        case .content(let content): checked = try await check(content, draft, app, now, at: "content")
        case .template(let id, let version):
            let content = try await contents.stored(id, app: app.id, version: version).content
            checked = try await check(content, draft, app, now, at: "template")
        case nil: break
        }
        body.refuse(checked?.problems.filter { $0.severity == .error } ?? [])
        let recipients = try await recipients(draft, checked, &body, app)
        try body.finish()
        guard let checked else { throw Refusal(problems: []) }
        let options = TestPushOptions(
            bundleID: app.settings.bundleID, pushType: checked.pushType,
            priority: checked.priority ?? checked.pushType.defaultPriority,
            expiration: checked.expirationSeconds == 0 ? 0 : now + checked.expirationSeconds,
            collapseID: try checked.collapseID.map { try CollapseID($0) })
        return Prepared(
            message: checked.message, options: options, recipients: recipients, problems: checked.problems)
    }

    // MARK: Content

    private struct Checked {
        let message: TestPushMessage
        let problems: [Problem]
        let pushType: PushType
        let priority: Priority?
        let expirationSeconds: Int
        let collapseID: String?
        /// A Live Activity that begins has a token of its own kind.
        let startsActivity: Bool
    }

    private func check(_ payload: JSON, _ draft: TestPushDraft, _ app: AppRecord) -> Checked {
        let pushType = draft.pushType ?? .alert
        let key = app.settings.messageIDKey
        let rules = PushRules(
            pushType: pushType, priority: draft.priority, collapseID: draft.collapseID, messageIDKey: key)
        return Checked(
            message: .constant(payload, messageIDKey: key),
            problems: (rules.problems(in: payload) + PlainContent.warnings(in: payload)).map(\.ofCampaign),
            pushType: pushType, priority: draft.priority,
            expirationSeconds: draft.expirationSeconds ?? Self.defaultExpiration, collapseID: draft.collapseID,
            startsActivity: payload.startsActivity)
    }

    /// The request's options stand over the content's.
    private func check(
        _ content: TemplateContent, _ draft: TestPushDraft, _ app: AppRecord, _ now: Int, at path: String
    ) async throws -> Checked {
        var content = content
        content.pushType = draft.pushType ?? content.pushType
        content.priority = draft.priority ?? content.priority
        content.collapseID = draft.collapseID ?? content.collapseID
        content.expirationSeconds = draft.expirationSeconds ?? content.expirationSeconds
        let context = try await contents.context(for: content, app: app.id)
        return Checked(
            message: .composed(content, context, now: now),
            problems: content.report(in: context).problems.map { $0.at(path) }, pushType: content.pushType,
            priority: content.priority, expirationSeconds: content.expirationSeconds ?? Self.defaultExpiration,
            collapseID: content.collapseID, startsActivity: content.payload.startsActivity)
    }

    // MARK: Recipients

    private func recipients(
        _ draft: TestPushDraft, _ checked: Checked?, _ body: inout BodyReader, _ app: AppRecord
    ) async throws -> [Recipient] {
        switch draft.recipients {
        case nil: return []
        case .token(let token, let environment, let person):
            return [
                Recipient(
                    device: nil, installation: nil, nickname: nil, token: token, environment: environment,
                    person: person)
            ]
        case .devices(let installations):
            guard let checked else { return [] }
            guard let kind = checked.pushType.tokenKind(startsActivity: checked.startsActivity) else {
                body.refuse(
                    "devices", "no-token",
                    "have no token of their own for this push; paste the token that the app has for it")
                return []
            }
            let found = try await devices.devices(installations, app: app.id, kind: kind)
            let known = Dictionary(found.map { ($0.installation, $0) }) { first, _ in first }
            return installations.enumerated().compactMap { place, installation in
                recipient(known[installation], "devices[\(place)]", installation, &body)
            }
        }
    }

    private func recipient(
        _ device: AddressedDevice?, _ path: String, _ installation: String, _ body: inout BodyReader
    ) -> Recipient? {
        guard let device else {
            body.refuse(path, "unknown-device", "names \(installation), which has no token here for such a push")
            return nil
        }
        let name = device.nickname ?? installation
        guard device.isTest else {
            body.refuse(path, "not-a-test-device", "names \(name), which is not marked as a test device")
            return nil
        }
        guard let token = device.token else {
            body.refuse(path, "retired-device", "names \(name), whose token is no longer valid; open the app there")
            return nil
        }
        return Recipient(
            device: device.id, installation: installation, nickname: device.nickname, token: token,
            environment: device.environment, person: device.person)
    }
}

extension PushType {
    /// Which of a device's tokens such a push goes to. Nil when it is not the device's but an activity's.
    fileprivate func tokenKind(startsActivity: Bool) -> DeviceKind? {
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
