import Administration
import Application
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Routes for devices: they register and change themselves; people list, import and export them.
struct DeviceRoutes: RouteGroup {
    let apps: AppStore
    let devices: DeviceStore
    let segments: SegmentStore
    let registrations: RegistrationCommit
    let admission: RegistrationAdmission
    let topics: TopicKeyCache
    let imports = ImportsInProgress()

    static let path = "/devices/{installation}"
    /// The query parameters that belong to a device's address, for every method.
    static let addressParameters = ["kind", "activity"]

    func add(to routes: inout Routes) {
        addRegistration(to: &routes)
        addLogout(to: &routes)
        addReading(to: &routes)
        addBulk(to: &routes)
        addImport(to: &routes)
        addImportPreview(to: &routes)
        addExport(to: &routes)
    }

    private func addRegistration(to routes: inout Routes) {
        routes.addForApp(
            .put, Self.path, for: .publishable(or: .devicesWrite), query: Self.addressParameters,
            bodyLimit: RegistrationBody.maximumSize, audit: .people
        ) { call in
            try await self.register(.register, call)
        }
        routes.addForApp(
            .patch, Self.path, for: .publishable(or: .devicesWrite), query: Self.addressParameters,
            bodyLimit: RegistrationBody.maximumSize, audit: .people
        ) { call in
            try await self.register(.update, call)
        }
        routes.addForApp(
            .delete, Self.path, for: .publishable(or: .devicesWrite), query: Self.addressParameters + ["sent_at"],
            audit: .people
        ) { [devices] call in
            try await ObjectReader.refuseBody(call.request)
            let isRemoved = try await devices.remove(
                app: call.app, call.deviceAddress, expectedVersion: call.expectedVersion,
                sentAt: try call.request.time("sent_at").map { Instant(microseconds: $0.microseconds) })
            return isRemoved ? .noContent : .json(["is_outdated": true] as JSON)
        }
    }

    private func register(_ kind: Registration.Kind, _ call: AppCall) async throws -> Response {
        let address = try call.deviceAddress
        try ObjectReader.checkContentType(call.request)
        let bytes = try await call.request.body.collect()
        var form = kind == .register ? RegistrationBody.Form.register : .update
        form.isTrusted = !call.caller.isPublishable
        var body = try ByteReader.checking {
            () throws(ByteReader.Malformed) in
            try RegistrationBody.read(bytes, as: form)
        }
        let admitted =
            call.caller.isPublishable
            ? try await admission.admit(
                user: body.changes.userID.value, signature: body.userIDSignature,
                from: call.request.clientAddress.ip?.network, app: call.app)
            : .server
        let registration = Registration(
            kind, app: call.app, address: address, changes: body.changes, person: body.person,
            expectedVersion: try call.expectedVersion, sentAt: body.sentAt, rights: admitted.rights,
            sender: admitted.sender)
        let device = try admission.conclude(try await registrations.answer(to: registration), of: admitted)
        if !body.optOutTopics.isEmpty {
            body.warn(ofUnknownTopics: try await topics.unknown(among: Set(body.optOutTopics), of: call.app))
        }
        var answer = JSONObjectWriter()
        body.write(device, address, to: &answer)
        return .json(answer.finish())
    }
}

extension RegistrationBody {
    /// Writes the response about a stored device.
    func write(
        _ device: RegistrationStore.StoredDevice, _ address: DeviceAddress, to answer: inout JSONObjectWriter
    ) {
        var warnings = warnings
        if device.lacksUser { warnings.append(Self.personWithoutUser) }
        if device.wasLoggedOut { warnings.append(Self.loggedOut) }
        if let activity = device.activityBefore, activity != address.activity {
            warnings.append(Self.tokenMoved(from: activity))
        }
        answer.text("id", device.id.description)
        answer.text("installation", address.installation)
        answer.text("kind", address.kind.name)
        answer.flag("registered", device.isRegistered)
        answer.flag("is_outdated", device.isOutdated)
        answer.raw("warnings", warnings.isEmpty ? Self.noWarnings : JSON.array(warnings.map(\.json)).encoded())
    }

    private static let personWithoutUser = Problem(
        path: "person", code: "user-id-missing",
        message: "was not stored, because the device has no user; send it with a user_id", severity: .warning)

    private static let loggedOut = Problem(
        path: "user_id", code: "user-logged-out",
        message: "was removed from the device, because its token or environment changed without the user's signature; "
            + "send user_id and user_id_signature with the token", severity: .warning)

    private static func tokenMoved(from activity: String) -> Problem {
        Problem(
            path: "token", code: "token-moved",
            message:
                "was that of the Live Activity \(activity), which gets no more updates; iOS gives each one its own",
            severity: .warning)
    }

    private static let noWarnings = Array("[]".utf8)
}

extension AppCall {
    /// The device that path and query name.
    var deviceAddress: DeviceAddress {
        get throws(APIError) {
            guard let installation = request.parameters["installation"], DeviceAddress.isInstallation(installation)
            else {
                throw .invalidInstallation(DeviceAddress.installationRule)
            }
            let kind = try request.deviceKind ?? .alert
            return DeviceAddress(installation, kind: kind, activity: try activity(of: kind))
        }
    }

    private func activity(of kind: DeviceKind) throws(APIError) -> String {
        let activity = request.queryItems["activity"] ?? ""
        let name = DeviceKind.liveActivityUpdate.name
        guard (kind == .liveActivityUpdate) == !activity.isEmpty else {
            throw activity.isEmpty ? .activityMissing(of: name) : .activityUnexpected(without: name)
        }
        guard activity.utf8.count <= DeviceAddress.maximumActivityLength, !activity.utf8.contains(0) else {
            throw .invalidActivity(maximumLength: DeviceAddress.maximumActivityLength)
        }
        return activity
    }
}

extension Request {
    /// The query parameter `kind`; nil if it is absent.
    var deviceKind: DeviceKind? {
        get throws(APIError) {
            guard let name = queryItems["kind"] else { return nil }
            if let kind = DeviceKind(name: name) { return kind }
            let names = DeviceKind.allCases.map(\.name).joined(separator: ", ")
            throw .unknownKind(names)
        }
    }
}
