import Campaigns
import JSON
import Notifications
import Store

/// The content of pushes to single devices, as a request specifies it.
enum PushSource {
    /// Sent unchanged, including braces.
    case payload(JSON)
    case template(Template.ID, version: Int?)
    /// Content that is not saved as a template.
    case content(TemplateContent)

    /// Nil if there is a problem.
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

/// Delivery settings of a request, which take precedence over those of its content.
struct PushOverrides {
    let pushType: PushType?
    let priority: Priority?
    let collapseID: String?
    let expirationSeconds: Int?

    init(_ body: inout ObjectReader) {
        pushType = body.takeNull("push_type") ? nil : body.choice("push_type", among: PushType.allCases)
        priority = body.takeNull("priority") ? nil : body.priority("priority")
        // `PushRules` checks it together with the payload.
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

    var withoutExpiration: PushOverrides {
        PushOverrides(pushType: pushType, priority: priority, collapseID: collapseID)
    }
}
