import Campaigns
import Notifications
import Store

/// The body of a test push while it is read.
struct TestPushDraft {
    /// So many phones can somebody look at.
    static let maximumDevices = 20

    enum Source {
        /// Goes out as it is, braces and all.
        case payload(JSON)
        case template(Template.ID, version: Int?)
        /// Not saved yet.
        case content(TemplateContent)
    }

    enum Recipients {
        case devices([String])
        case token(DeviceToken, PushEnvironment, SamplePerson)
    }

    /// Nil leaves a problem.
    let source: Source?
    let recipients: Recipients?
    let pushType: PushType?
    let priority: Priority?
    let collapseID: String?
    let expirationSeconds: Int?

    init(_ body: inout BodyReader) {
        source = Self.source(&body)
        recipients = Self.recipients(&body)
        pushType = body.takeNull("push_type") ? nil : body.choice("push_type", among: PushType.allCases)
        priority = body.takeNull("priority") ? nil : body.priority("priority")
        // Its rules are among the payload's.
        collapseID = body.takeNull("collapse_id") ? nil : body.text("collapse_id", length: 0...1_024)
        expirationSeconds =
            body.takeNull("expiration_seconds")
            ? nil : body.whole("expiration_seconds", in: 0...CampaignContent.maximumExpirationSeconds)
    }

    private static func source(_ body: inout BodyReader) -> Source? {
        guard body.requireOne(of: ["payload", "template", "content"]) else { return nil }
        if let payload = body.take("payload") { return .payload(payload) }
        if body.has("content") { return body.content("content").map { .content($0) } }
        let version = body.whole("template_version", in: 1...Int(Int32.max))
        return body.id("template").map { .template($0, version: version) }
    }

    private static func recipients(_ body: inout BodyReader) -> Recipients? {
        guard body.requireOne(of: ["devices", "token"]) else { return nil }
        if let value = body.take("devices") { return devices(value, &body).map { .devices($0) } }
        let token = body.value("token") { (text) throws(InvalidValue) in try DeviceToken(hex: text) }
        let environment = body.text("environment", length: 0...100).flatMap { PushEnvironment(name: $0) }
        if environment == nil { body.refuse("environment", "not-allowed", "must be production or development") }
        let person = body.has("person") ? body.person("person") : SamplePerson()
        guard let token, let environment, let person else { return nil }
        return .token(token, environment, person)
    }

    private static func devices(_ value: JSON, _ body: inout BodyReader) -> [String]? {
        guard case .array(let elements) = value, 1...maximumDevices ~= elements.count else {
            body.refuse("devices", "wrong-type", "must be a list of 1 to \(maximumDevices) installations")
            return nil
        }
        var devices: [String] = []
        for (place, element) in elements.enumerated() {
            guard case .string(let device) = element, !device.unicodeScalars.contains("\0") else {
                body.refuse("devices[\(place)]", "wrong-type", "must be an installation, which is a text")
                continue
            }
            if devices.contains(device) { body.refuse("devices[\(place)]", "twice", "must stand only once") }
            devices.append(device)
        }
        return devices.count == elements.count ? devices : nil
    }
}

extension BodyReader {
    /// Whether exactly one of these is there; else it leaves a problem.
    mutating func requireOne(of keys: [String]) -> Bool {
        let present = keys.filter { has($0) }
        guard present.count != 1 else { return true }
        for key in present {
            _ = take(key)
            refuse(key, "one-too-many", "must stand alone: only one of \(keys.joined(separator: ", "))")
        }
        if present.isEmpty, let first = keys.first {
            refuse(first, "missing", "must be there, or one of \(keys.dropFirst().joined(separator: ", "))")
        }
        return false
    }

    mutating func priority(_ key: String) -> Priority? {
        guard let number = whole(key, in: 1...10) else { return nil }
        let priority = Priority(rawValue: number)
        if priority == nil { refuse(key, "not-allowed", "must be 10, 5 or 1, not \(number)") }
        return priority
    }
}
