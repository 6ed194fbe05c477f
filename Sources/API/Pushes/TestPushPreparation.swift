import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// Checks the content and the recipients of a test push before anything is sent.
struct TestPushPreparation: Sendable {
    let contents: ContentLoader
    let devices: AddressedDeviceStore

    /// A day, in seconds, as for campaigns.
    private static let defaultExpiration = 86_400

    struct Recipient {
        /// Nil for a pasted token.
        let device: Device.ID?
        let installation: String?
        let nickname: String?
        let token: DeviceToken
        let environment: PushEnvironment
        let person: RecipientProfile
    }

    struct Prepared {
        let message: PushMessage
        let options: PushOptions
        let recipients: [Recipient]
        /// Warnings and notes.
        let problems: [Problem]
    }

    /// Throws all problems together.
    func prepare(_ draft: TestPushDraft, _ body: inout ObjectReader, _ app: AppRecord) async throws -> Prepared {
        var checked: CheckedPush?
        if let source = draft.source {
            checked = try await PushContentCheck(contents: contents).check(source, draft.overrides, app)
        }
        body.refuse(checked?.errors ?? [])
        let recipients = try await recipients(draft, checked, &body, app)
        try body.finish()
        guard let checked else { throw APIError(problems: []) }
        let now = Int(Timestamp.now.secondsSince1970)
        return Prepared(
            message: checked.message,
            options: try checked.options(app, expirationSeconds: Self.defaultExpiration, now: now),
            recipients: recipients, problems: checked.problems)
    }

    // MARK: Recipients

    private func recipients(
        _ draft: TestPushDraft, _ checked: CheckedPush?, _ body: inout ObjectReader, _ app: AppRecord
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
            guard let kind = checked.tokenKind else {
                body.refuse(
                    "installations", "no-token",
                    "have no token for this push type; send `token` instead, with the token that the app has for it")
                return []
            }
            let found = try await devices.devices(installations, app: app.id, kind: kind)
            let named = found.flatMap { [($0.installation, $0), (DeviceHandle($0.id).text, $0)] }
            let devicesByInstallation = Dictionary(named) { first, _ in first }
            return installations.enumerated().compactMap { index, installation in
                recipient(devicesByInstallation[installation], "installations[\(index)]", installation, &body)
            }
        }
    }

    private func recipient(
        _ device: AddressedDevice?, _ path: String, _ installation: String, _ body: inout ObjectReader
    ) -> Recipient? {
        guard let device else {
            body.refuse(at: path, "unknown-device", "names \(installation), which has no token for this push type")
            return nil
        }
        let name = device.nickname ?? installation
        guard device.isTest else {
            body.refuse(at: path, "not-a-test-device", "names \(name), which is not marked as a test device")
            return nil
        }
        guard let token = device.token else {
            body.refuse(
                at: path, "retired-device",
                "names \(name), whose token is no longer valid; open the app on that device")
            return nil
        }
        return Recipient(
            device: device.id, installation: installation, nickname: device.nickname, token: token,
            environment: device.environment, person: device.person)
    }
}
