public import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
public import Store

/// Routes for devices: they register and change themselves; people list, import and export them.
public struct DeviceRoutes: RouteGroup {
    let apps: AppStore
    let devices: DeviceStore
    let registrations: RegistrationCommit
    let topics: TopicKeyCache
    let timeZones: Set<String>

    /// `timeZones` are `DeviceStore.timeZoneNames()`, read once when the process starts.
    public init(
        apps: AppStore, devices: DeviceStore, registrations: RegistrationCommit, topics: TopicKeyCache,
        timeZones: Set<String>
    ) {
        self.apps = apps
        self.devices = devices
        self.registrations = registrations
        self.topics = topics
        self.timeZones = timeZones
    }

    static let path = "/devices/{installation}"

    public func add(to routes: inout Routes) {
        addRegistration(to: &routes)
        addReading(to: &routes)
        addBulk(to: &routes)
        addImport(to: &routes)
        addExport(to: &routes)
    }

    private func addRegistration(to routes: inout Routes) {
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
            try await ObjectReader.refuseBody(call.request)
            guard let address = try call.deviceAddress, try await devices.remove(app: call.app, address) else {
                throw Refusal.notFound(.device)
            }
            return .noContent
        }
    }

    private func register(_ kind: Registration.Kind, _ call: AppCall) async throws -> Response {
        guard let installation = call.installation else {
            throw APIError.badRequest(
                "invalid-installation", "The installation \(DeviceAddress.installationRule).",
                field: "installation")
        }
        try ObjectReader.checkContentType(call.request)
        let bytes = try await call.request.body.collect()
        var form = kind == .register ? RegistrationBody.Form.register : .update
        form.isTrusted = call.key.kind == .secret
        var body = try ByteReader.checking {
            () throws(ByteReader.Malformed) in
            try RegistrationBody.read(bytes, as: form, isTimeZone: timeZones.contains)
        }
        let address = body.address(of: installation)
        let registration = Registration(kind, app: call.app, address: address, changes: body.changes)
        guard case .stored(let device) = try await registrations.answer(to: [registration])[0] else {
            throw Refusal.notFound(.device)
        }
        if let optOuts = body.changes.optOuts {
            body.warn(ofUnknownTopics: try await topics.unknown(among: Set(optOuts), of: call.app))
        }
        var answer = JSONObjectWriter()
        body.write(device, address, to: &answer)
        return .json(answer.finish())
    }
}

extension RegistrationBody {
    /// Writes the response about a stored device.
    func write(_ device: Device.ID, _ address: DeviceAddress, to answer: inout JSONObjectWriter) {
        answer.text("id", device.description)
        answer.text("installation", address.installation)
        answer.text("kind", address.kind.name)
        answer.raw("warnings", warnings.isEmpty ? Self.noWarnings : JSON.array(warnings.map(\.json)).encoded())
    }

    private static let noWarnings = Array("[]".utf8)
}

extension AppCall {
    /// Nil if the path segment is not a valid installation.
    var installation: String? {
        request.parameters["installation"].flatMap { DeviceAddress.isInstallation($0) ? $0 : nil }
    }

    /// The device that path and query name; nil if kind and activity don't fit together.
    var deviceAddress: DeviceAddress? {
        get throws(APIError) {
            let kind = try request.deviceKind ?? .alert
            let activity = request.queryItems["activity"] ?? ""
            guard let installation, (kind == .liveActivityUpdate) == !activity.isEmpty else { return nil }
            return DeviceAddress(installation, kind: kind, activity: activity)
        }
    }
}

extension Request {
    /// The query parameter `kind`; nil if it is absent.
    var deviceKind: DeviceKind? {
        get throws(APIError) {
            guard let name = queryItems["kind"] else { return nil }
            if let kind = DeviceKind(name: name) { return kind }
            let names = DeviceKind.allCases.map(\.name).joined(separator: ", ")
            throw .badRequest("unknown-kind", "The kind must be one of \(names).", field: "kind")
        }
    }
}
