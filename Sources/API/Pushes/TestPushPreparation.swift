import Application
import Campaigns
import JSON
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
        let message: PushMessage
        let options: PushOptions
        let recipients: [Recipient]
        /// Warnings and notes.
        let problems: [Problem]
    }

    /// Throws all that is wrong at once.
    func prepare(_ draft: TestPushDraft, _ body: inout ObjectReader, _ app: AppRecord) async throws -> Prepared {
        var checked: CheckedPush?
        if let source = draft.source {
            checked = try await PushContentCheck(contents: contents).check(source, draft.wishes, app)
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
        _ device: AddressedDevice?, _ path: String, _ installation: String, _ body: inout ObjectReader
    ) -> Recipient? {
        guard let device else {
            body.refuse(at: path, "unknown-device", "names \(installation), which has no token here for such a push")
            return nil
        }
        let name = device.nickname ?? installation
        guard device.isTest else {
            body.refuse(at: path, "not-a-test-device", "names \(name), which is not marked as a test device")
            return nil
        }
        guard let token = device.token else {
            body.refuse(at: path, "retired-device", "names \(name), whose token is no longer valid; open the app there")
            return nil
        }
        return Recipient(
            device: device.id, installation: installation, nickname: device.nickname, token: token,
            environment: device.environment, person: device.person)
    }
}
