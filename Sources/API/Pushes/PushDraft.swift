import Campaigns
import JSON
import Notifications
import Store

/// Reads the body of a request for transactional pushes.
struct PushDraft {
    static let maximumTargets = 100

    /// Nil if there is a problem.
    let targets: PushTargets?
    let source: PushSource?
    let overrides: PushOverrides
    /// Replace attributes of every device, for this push only.
    let values: [JSON.Member]
    let topic: TopicKey?
    let isDryRun: Bool

    init(_ body: inout ObjectReader) {
        targets = Self.targets(&body)
        source = PushSource(&body)
        overrides = PushOverrides(&body)
        values = Self.values(&body, source)
        topic =
            body.takeNull("topic") ? nil : body.value("topic") { (text) throws(InvalidValue) in try TopicKey(text) }
        isDryRun = body.bool("dry_run") ?? false
    }

    private static func targets(_ body: inout ObjectReader) -> PushTargets? {
        guard body.requireOne(of: ["user_ids", "installations", "tokens"]) else { return nil }
        if body.has("user_ids") {
            return body.names("user_ids", upTo: maximumTargets, of: "user id").map { .users($0) }
        }
        if body.has("installations") {
            return body.names("installations", upTo: maximumTargets, of: "installation").map { .installations($0) }
        }
        return body.names("tokens", upTo: maximumTargets, of: "device token").flatMap { tokens($0, &body) }
    }

    private static func tokens(_ texts: [String], _ body: inout ObjectReader) -> PushTargets? {
        var tokens: [DeviceToken] = []
        for (index, text) in texts.enumerated() {
            do throws(InvalidValue) {
                let token = try DeviceToken(hex: text)
                // Tokens are compared as bytes, because hexadecimal digits have no case.
                if tokens.contains(token) { body.refuse(at: "tokens[\(index)]", "duplicate", "must occur only once") }
                tokens.append(token)
            } catch {
                body.refuse(at: "tokens[\(index)]", error.code, error.message)
            }
        }
        return tokens.count == texts.count ? .tokens(tokens) : nil
    }

    private static func values(_ body: inout ObjectReader, _ source: PushSource?) -> [JSON.Member] {
        guard let members = body.contentValues("values") else { return [] }
        if case .payload = source {
            body.refuse(
                "values", "incompatible-with-payload",
                "can't be combined with `payload`, which is sent unchanged; use `template` or `content`")
        }
        return members
    }
}
