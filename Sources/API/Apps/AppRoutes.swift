import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

struct AppRoutes: RouteGroup {
    let apps: AppStore

    func add(to routes: inout Routes) {
        routes.add(.post, "/v1/apps", for: .permission(.appsWrite), takesIdempotencyKey: true) { [apps] call in
            var body = try await ObjectReader(call.request)
            body.require("name", "bundle_id")
            var draft = AppDraft()
            draft.read(&body)
            try body.finish()
            let app = try await apps.create(try draft.settings())
            return .json(app.json, version: app.version, status: .created)
                .located(at: "/v1/apps/\(app.id)")
        }
        routes.add(.get, "/v1/apps", for: .permissionInAnyApp(.appsRead), query: Paging.parameters) { [apps] call in
            let page: Page<App.ID> = try Paging.page(call.request)
            let list = try await apps.list(
                only: call.caller.grants.apps(with: .appsRead), before: page.cursor, limit: page.limit)
            return Paging.response(list, page, id: \.id, json: \.json)
        }
        routes.addForApp(.get, "", for: .permission(.appsRead)) { [apps] call in
            let app = try await apps.find(call.app)
            return .json(app.json, version: app.version)
        }
        routes.addForApp(.patch, "", for: .permission(.appsWrite)) { [apps] call in
            let current = try await apps.find(call.app)
            try IfMatch(call.request)?.check(current.version)
            var body = try await ObjectReader(call.request)
            var draft = AppDraft(current.settings)
            draft.read(&body)
            try body.finish()
            let app = try await apps.update(call.app, version: current.version, to: try draft.settings())
            return .json(app.json, version: app.version)
        }
        routes.addForApp(.delete, "", for: .permission(.appsDelete)) { [apps] call in
            try await ObjectReader.refuseBody(call.request)
            try await apps.delete(call.app, expectedVersion: call.expectedVersion)
            return .noContent
        }
    }
}

/// Collects an app's settings from a request body.
private struct AppDraft {
    private var name: String?
    private var bundleID: BundleID?
    private var messageIDKey = "i"
    private var defaultLocale = "en"
    private var defaultTimeZone = "UTC"
    private var attachmentKeys = AttachmentKeys.standard
    private var quietHours: QuietHours?
    private var frequencyCap: FrequencyCap?
    private var pushesPerSecond: Int?
    private var verifiesIdentity = false
    private var newInstallationsPerMinute: Int?
    private var retention = RetentionPolicy.forever
    private var approvalAbove: Int?
    private var globalControl: GlobalControl?

    init() {}

    init(_ settings: AppSettings) {
        name = settings.name
        bundleID = settings.bundleID
        messageIDKey = settings.messageIDKey
        defaultLocale = settings.defaultLocale
        defaultTimeZone = settings.defaultTimeZone
        attachmentKeys = settings.attachmentKeys
        quietHours = settings.quietHours
        frequencyCap = settings.frequencyCap
        pushesPerSecond = settings.pushesPerSecond
        verifiesIdentity = settings.verifiesIdentity
        newInstallationsPerMinute = settings.newInstallationsPerMinute
        retention = settings.retention
        approvalAbove = settings.approvalAbove
        globalControl = settings.globalControl
    }

    mutating func read(_ body: inout ObjectReader) {
        name = body.text("name", length: 1...AppSettings.maximumNameLength) ?? name
        bundleID = body.value("bundle_id") { (text) throws(InvalidValue) in try BundleID(text) } ?? bundleID
        if let zone = body.text("default_time_zone", length: 1...64) {
            // Settings with another name are refused when they are stored.
            defaultTimeZone = ZoneName.canonical(zone) ?? zone
        }
        if let key = body.text("message_id_key", length: 1...AppSettings.maximumMessageIDKeyLength) {
            messageIDKey = key
            if key == "aps" { body.refuse("message_id_key", "not-allowed", "must not be aps, which Apple reserves") }
        }
        defaultLocale =
            body.value("default_locale") { (text) throws(InvalidValue) in try LocaleTag(text).locale.text }
            ?? defaultLocale
        verifiesIdentity = body.bool("identity_verification") ?? verifiesIdentity
        if body.takeNull("new_installations_per_minute") { newInstallationsPerMinute = nil }
        newInstallationsPerMinute =
            body.whole("new_installations_per_minute", in: 1...AppSettings.maximumNewInstallationsPerMinute)
            ?? newInstallationsPerMinute
        readAttachmentKeys(&body)
        readRules(&body)
    }

    /// Reads the rules for all campaigns of the app.
    private mutating func readRules(_ body: inout ObjectReader) {
        if body.takeNull("quiet_hours") { quietHours = nil }
        quietHours = body.object("quiet_hours") { (json) throws(Problems) in try QuietHours(json: json) } ?? quietHours
        if body.takeNull("frequency_cap") { frequencyCap = nil }
        frequencyCap =
            body.object("frequency_cap") { (json) throws(Problems) in try FrequencyCap(json: json) } ?? frequencyCap
        retention =
            body.object("retention") { [retention] (json) throws(Problems) in
                try RetentionPolicy(json: json, changing: retention)
            } ?? retention
        if body.takeNull("global_control") { globalControl = nil }
        globalControl =
            body.object("global_control") { (json) throws(Problems) in try GlobalControl(json: json) } ?? globalControl
        if body.takeNull("approval_above") { approvalAbove = nil }
        approvalAbove = body.whole("approval_above", in: 0...AppSettings.maximumApprovalAbove) ?? approvalAbove
        if body.takeNull("pushes_per_second") { pushesPerSecond = nil }
        pushesPerSecond =
            body.whole("pushes_per_second", in: 1...CampaignOptions.maximumPushesPerSecond) ?? pushesPerSecond
    }

    private mutating func readAttachmentKeys(_ body: inout ObjectReader) {
        // `AttachmentKeys` reports keys that are too long, with its own message.
        if let key = body.text("attachment_url_key", length: 0...1_024) { attachmentKeys.url = key }
        if body.takeNull("attachment_type_key") { attachmentKeys.type = nil }
        if let key = body.text("attachment_type_key", length: 0...1_024) { attachmentKeys.type = key }
        do throws(Problems) {
            attachmentKeys = try AttachmentKeys(json: attachmentKeys.json, messageIDKey: messageIDKey)
        } catch {
            body.refuse(
                error.problems.map {
                    Problem(path: "attachment_\($0.path)_key", code: $0.code, message: $0.message)
                })
        }
    }

    /// Call it after `finish` has found no problems.
    func settings() throws(APIError) -> AppSettings {
        guard let name, let bundleID else { throw APIError(problems: []) }
        return AppSettings(
            name: name, bundleID: bundleID, messageIDKey: messageIDKey, defaultLocale: defaultLocale,
            defaultTimeZone: defaultTimeZone, attachmentKeys: attachmentKeys, quietHours: quietHours,
            frequencyCap: frequencyCap, pushesPerSecond: pushesPerSecond, verifiesIdentity: verifiesIdentity,
            newInstallationsPerMinute: newInstallationsPerMinute, retention: retention, approvalAbove: approvalAbove,
            globalControl: globalControl)
    }
}

extension AppRecord {
    fileprivate var json: JSON {
        [
            "id": .id(id), "name": .string(settings.name), "bundle_id": .string(settings.bundleID.text),
            "message_id_key": .string(settings.messageIDKey), "default_locale": .string(settings.defaultLocale),
            "default_time_zone": .string(settings.defaultTimeZone),
            "attachment_url_key": .string(settings.attachmentKeys.url),
            "attachment_type_key": .text(settings.attachmentKeys.type),
            "quiet_hours": settings.quietHours?.json ?? .null, "frequency_cap": settings.frequencyCap?.json ?? .null,
            "pushes_per_second": settings.pushesPerSecond.map { .count($0) } ?? .null,
            "identity_verification": .bool(settings.verifiesIdentity),
            "new_installations_per_minute": settings.newInstallationsPerMinute.map { .count($0) } ?? .null,
            "retention": settings.retention.json,
            "approval_above": settings.approvalAbove.map { .count($0) } ?? .null,
            "global_control": settings.globalControl?.json ?? .null, "version": .count(version),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
    }
}
