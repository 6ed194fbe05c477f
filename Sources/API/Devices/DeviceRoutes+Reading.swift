import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

extension DeviceRoutes {
    /// The parameters that filter lists and exports.
    static let filters = ["user_id", "tag", "kind", "test", "registered", "search", "since", "until", "segment"]

    func addReading(to routes: inout Routes) {
        routes.addForApp(.get, Self.path, for: .publishable(or: .devicesRead), query: Self.addressParameters) {
            [self] call in
            let device = try await call.device(in: devices)
            guard call.caller.isPublishable else {
                return .json(try device.json(call.installationNames), version: device.version)
            }
            let showsUser = try await mayRead(device.userID, call)
            return .json(device.publicJSON(showingUser: showsUser), version: device.version)
        }
        routes.addForApp(.get, "/devices", for: .permission(.devicesRead), query: Paging.parameters + Self.filters) {
            [self] call in
            let page: Page<Device.ID> = try Paging.page(call.request)
            let filter = try await filter(call)
            let list = try await devices.devices(app: call.app, filter, after: page.cursor, limit: page.limit)
            if list.entries.isEmpty { _ = try await apps.find(call.app) }
            let names = call.installationNames
            return Paging.response(
                try list.entries.map { try $0.device.json(names) }, page, next: list.next?.description)
        }
    }
}

extension DeviceRoutes {
    private static let signature = HTTPField.Name("User-ID-Signature")

    /// Whether a publishable key may read who uses the device: in an app that verifies identities, only with the
    /// signature of its server.
    private func mayRead(_ user: String?, _ call: AppCall) async throws -> Bool {
        guard let user else { return true }
        let signature = Self.signature.flatMap { call.request.headers.value($0) }
        return try await admission.mayName(user: user, signature: signature, app: call.app)
    }

    /// The filter that the query names, with its segment resolved.
    func filter(_ call: AppCall) async throws -> DeviceFilter {
        var filter = try DeviceFilter(call.request)
        filter.findsPartsOfInstallations = call.installationNames.areShown
        guard let text = call.request.queryItems["segment"] else { return filter }
        guard let id = Segment.ID(text) else { throw Refusal.notFound(.segment) }
        let segment = try await segments.find(id, app: call.app)
        filter.audience = try await segments.resolve(member: segment.audience, app: call.app)
        return filter
    }
}

extension DeviceFilter {
    fileprivate init(_ request: Request) throws(APIError) {
        self.init()
        userID = request.queryItems["user_id"]
        tag = request.queryItems["tag"]?.composed
        kind = try request.deviceKind
        isTest = try request.flag("test")
        isRegistered = try request.flag("registered")
        search = try request.typedSearch
        since = try request.time("since")
        until = try request.time("until")
    }
}

extension Request {
    /// A parameter that is true or false; nil if it is absent.
    func flag(_ name: String) throws(APIError) -> Bool? {
        switch queryItems[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw .notTrueOrFalse(name)
        }
    }
}

extension DeviceRecord {
    /// The values that the installation itself may read with a publishable key. Nothing proves who the user is, so this
    /// contains nothing about the person but the opt-outs, for the switches of the app's settings.
    fileprivate func publicJSON(showingUser: Bool) -> JSON {
        [
            "id": .id(id), "installation": .string(address.installation), "kind": .string(address.kind.name),
            "activity": address.activity.isEmpty ? .null : .string(address.activity),
            "environment": .string(environment.name), "registered": .bool(retiredAt == nil),
            "user_id": .text(showingUser ? userID : nil),
            "authorization_status": .string(authorization.name), "locale": .text(locale), "time_zone": .text(timeZone),
            "opt_outs": .texts(optOuts),
            "person": (showingUser ? person : nil).map { ["opt_outs": .texts($0.optOuts)] } ?? .null,
        ]
    }

    fileprivate func json(_ names: InstallationNames) throws -> JSON {
        [
            "id": .id(id), "installation": .string(names.name(address.installation, of: id)),
            "kind": .string(address.kind.name),
            "activity": address.activity.isEmpty ? .null : .string(address.activity),
            "environment": .string(environment.name), "token_ending": .text(tokenEnding),
            "authorization_status": .string(authorization.name), "settings": try JSON(parsing: settings.bytes),
            "user_id": .text(userID), "locale": .text(locale), "time_zone": .text(timeZone),
            "os_version": .text(osVersion), "app_version": .text(appVersion), "model": .text(model),
            "tags": .texts(tags), "opt_outs": .texts(optOuts),
            "attributes": try JSON(parsing: attributes.bytes),
            "is_test": .bool(isTest), "nickname": .text(nickname),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
            "token_registered_at": .time(tokenRegisteredAt), "last_seen_at": .time(lastSeenAt),
            "registered": .bool(retiredAt == nil), "retired_at": .time(retiredAt),
            "retired_reason": .text(retiredReason?.name), "person": try person?.json() ?? .null,
        ]
    }
}

extension Profile {
    func json() throws -> JSON {
        ["attributes": try JSON(parsing: attributes.bytes), "tags": .texts(tags), "opt_outs": .texts(optOuts)]
    }
}
