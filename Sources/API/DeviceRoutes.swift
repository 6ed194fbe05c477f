import Campaigns
import HTTPServer
import HTTPTypes
import Notifications
import Postgres
public import Store

/// Devices: what phones say about themselves, and what people may see of it.
public struct DeviceRoutes: RouteGroup {
    private let apps: AppStore
    private let devices: DeviceStore
    private let registrations: RegistrationCommit
    private let timeZones: Set<String>

    /// `timeZones` are `DeviceStore.timeZoneNames()`, read once when the process starts.
    public init(apps: AppStore, devices: DeviceStore, registrations: RegistrationCommit, timeZones: Set<String>) {
        self.apps = apps
        self.devices = devices
        self.registrations = registrations
        self.timeZones = timeZones
    }

    private static let path = "/devices/{installation}"

    public func add(to routes: inout Routes) {
        routes.addForApp(
            .put, Self.path, for: .publishable(or: .devicesWrite), bodyLimit: RegistrationBody.maximumSize
        ) { call in
            try await self.register(.register, call)
        }
        routes.addForApp(
            .patch, Self.path, for: .publishable(or: .devicesWrite), bodyLimit: RegistrationBody.maximumSize
        ) { call in
            try await self.register(.update, call)
        }
        routes.addForApp(.delete, Self.path, for: .publishable(or: .devicesWrite)) { [devices] call in
            try await BodyReader.refuseBody(call.request)
            guard let installation = call.installation,
                try await devices.remove(app: call.app, installation: installation)
            else { throw StoreRefusal.notFound(.device) }
            return .noContent
        }
        routes.addForApp(.get, Self.path, for: .secret(.devicesRead)) { [devices] call in
            guard let installation = call.installation,
                let device = try await devices.device(app: call.app, installation: installation)
            else { throw StoreRefusal.notFound(.device) }
            return .json(try device.json())
        }
        routes.addForApp(.get, "/devices", for: .secret(.devicesRead)) { [apps, devices] call in
            let page: Page<Device.ID> = try Paging.page(call.request, more: ["user_id"])
            let list = try await devices.devices(
                app: call.app, userID: call.request.queryItems["user_id"], after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            let next = list.count == page.limit ? list.last?.id.description : nil
            return Paging.response(try list.map { try $0.json() }, next: next)
        }
    }

    private func register(_ kind: Registration.Kind, _ call: AppCall) async throws -> Response {
        guard let installation = call.installation else {
            throw Refusal.badRequest(
                "invalid-installation",
                "An installation is named by 1 to \(Registration.maximumInstallationLength) visible ASCII characters.",
                field: "installation")
        }
        try BodyReader.checkContentType(call.request)
        let bytes = try await call.request.body.collect()
        let body = try ByteReader.refusing {
            () throws(ByteReader.Malformed) in
            try RegistrationBody.read(bytes, for: kind, isTimeZone: timeZones.contains)
        }
        let registration = Registration(kind, app: call.app, installation: installation, changes: body.changes)
        guard case .stored(let device) = try await registrations.answer(to: registration) else {
            throw StoreRefusal.notFound(.device)
        }
        return .json([
            "id": .id(device), "installation": .string(installation),
            "warnings": .array(body.warnings.map(\.json)),
        ])
    }
}

extension AppCall {
    /// Nil when the path's segment is none.
    fileprivate var installation: String? {
        guard let name = request.parameters["installation"],
            1...Registration.maximumInstallationLength ~= name.utf8.count,
            name.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        return name
    }
}

extension DeviceRecord {
    fileprivate func json() throws -> JSON {
        [
            "id": .id(id), "installation": .string(installation), "environment": .string(environment.name),
            "token_ending": .text(tokenEnding), "authorization": .string(authorization.name),
            "user_id": .text(userID), "locale": .text(locale), "time_zone": .text(timeZone),
            "os_version": .text(osVersion), "app_version": .text(appVersion), "model": .text(model),
            "attributes": try JSON(parsing: attributes.bytes),
            "created_at": .time(createdAt), "updated_at": .time(updatedAt),
            "token_registered_at": .time(tokenRegisteredAt), "last_seen_at": .time(lastSeenAt),
            "retired_at": .time(retiredAt), "retired_reason": .text(retiredReason?.name),
        ]
    }
}
