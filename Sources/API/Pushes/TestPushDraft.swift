import Campaigns
import JSON
import Notifications

/// Reads the body of a test push.
struct TestPushDraft {
    /// The maximum number of devices of one request.
    static let maximumDevices = 20

    enum Recipients {
        case devices([String])
        case token(DeviceToken, PushEnvironment, RecipientProfile)
    }

    /// Nil if there is a problem.
    let source: PushSource?
    let recipients: Recipients?
    let overrides: PushOverrides

    init(_ body: inout ObjectReader) {
        source = PushSource(&body)
        recipients = Self.recipients(&body)
        overrides = PushOverrides(&body)
    }

    private static func recipients(_ body: inout ObjectReader) -> Recipients? {
        guard body.requireOne(of: ["installations", "token"]) else { return nil }
        if body.has("installations") {
            return body.names("installations", upTo: maximumDevices, of: "installation").map { .devices($0) }
        }
        let token = body.value("token") { (text) throws(InvalidValue) in try DeviceToken(hex: text) }
        let environment = body.text("environment", length: 0...100).flatMap { PushEnvironment(name: $0) }
        if environment == nil { body.refuse("environment", "not-allowed", "must be production or development") }
        let person = body.has("recipient") ? body.recipient("recipient") : RecipientProfile()
        guard let token, let environment, let person else { return nil }
        return .token(token, environment, person)
    }
}
