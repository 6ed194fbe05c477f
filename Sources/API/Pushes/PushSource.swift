import Campaigns
import JSON
import Notifications
import Store

/// What pushes to single devices say, as a request names it.
enum PushSource {
    /// Goes out as it is, braces and all.
    case payload(JSON)
    case template(Template.ID, version: Int?)
    /// Not saved.
    case content(TemplateContent)

    /// Nil leaves a problem.
    init?(_ body: inout ObjectReader) {
        guard body.requireOne(of: ["payload", "template", "content"]) else { return nil }
        if let payload = body.take("payload") {
            self = .payload(payload)
        } else if body.has("content") {
            guard let content = body.content("content") else { return nil }
            self = .content(content)
        } else {
            let version = body.whole("template_version", in: 1...Int(Int32.max))
            guard let id: Template.ID = body.id("template") else { return nil }
            self = .template(id, version: version)
        }
    }
}

/// What a request says of how its pushes go; it stands over what a content says.
struct PushWishes {
    let pushType: PushType?
    let priority: Priority?
    let collapseID: String?
    let expirationSeconds: Int?

    init(_ body: inout ObjectReader) {
        pushType = body.takeNull("push_type") ? nil : body.choice("push_type", among: PushType.allCases)
        priority = body.takeNull("priority") ? nil : body.priority("priority")
        // Its rules are among the payload's.
        collapseID = body.takeNull("collapse_id") ? nil : body.text("collapse_id", length: 0...1_024)
        expirationSeconds =
            body.takeNull("expiration_seconds")
            ? nil : body.whole("expiration_seconds", in: 0...CampaignContent.maximumExpirationSeconds)
    }

    private init(pushType: PushType?, priority: Priority?, collapseID: String?) {
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
        expirationSeconds = nil
    }

    var withoutExpiration: PushWishes { PushWishes(pushType: pushType, priority: priority, collapseID: collapseID) }
}

extension ObjectReader {
    /// Whether exactly one of these is there; else it leaves a problem.
    mutating func requireOne(of keys: [String]) -> Bool {
        let present = keys.filter { has($0) }
        guard present.count != 1 else { return true }
        for key in present {
            _ = take(key)
            refuse(key, "one-too-many", "must stand alone: only one of \(keys.joined(separator: ", "))")
        }
        if present.isEmpty, let first = keys.first {
            refuse(first, "missing", "is required, or one of \(keys.dropFirst().joined(separator: ", "))")
        }
        return false
    }

    mutating func priority(_ key: String) -> Priority? {
        guard let number = whole(key, in: 1...10) else { return nil }
        let priority = Priority(rawValue: number)
        if priority == nil { refuse(key, "not-allowed", "must be 10, 5 or 1, not \(number)") }
        return priority
    }

    /// A list of distinct texts, each of which `what` says in words. Nil leaves a problem.
    mutating func names(_ key: String, upTo limit: Int, of what: String) -> [String]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value, 1...limit ~= elements.count else {
            refuse(key, "wrong-type", "must be a list of 1 to \(limit) \(what)s")
            return nil
        }
        var names: [String] = []
        var seen: Set<ExactText> = []
        for (place, element) in elements.enumerated() {
            guard case .string(let name) = element, !name.unicodeScalars.contains("\0") else {
                refuse(at: "\(key)[\(place)]", "wrong-type", "must be \(what.withArticle), which is a text")
                continue
            }
            if !seen.insert(ExactText(text: name)).inserted {
                refuse(at: "\(key)[\(place)]", "twice", "must stand only once")
            }
            names.append(name)
        }
        return names.count == elements.count ? names : nil
    }
}

extension String {
    fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + self }
}
