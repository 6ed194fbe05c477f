import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// The data that is known about a person, on all of their devices.
struct PeopleRoutes: RouteGroup {
    private static let path = "/people/{user_id}"

    let apps: AppStore
    let people: PersonStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, Self.path, for: .permission(.devicesRead)) { [people] call in
            try await people.find(call.userID, app: call.app).response(call.installationNames)
        }
        routes.addForApp(
            .patch, Self.path, for: .permission(.devicesWrite), bodyLimit: RegistrationBody.maximumSize, audit: .people
        ) { [people] call in
            let userID = try call.userID
            try ObjectReader.checkContentType(call.request)
            let bytes = try await call.request.body.collect()
            let changes = try ByteReader.checking { () throws(ByteReader.Malformed) in try PersonBody.read(bytes) }
            return try await people.update(
                userID, app: call.app, by: changes, expectedVersion: call.expectedVersion
            ).response(call.installationNames)
        }
        routes.addForApp(.delete, Self.path, for: .permission(.devicesWrite), audit: .afterwards) {
            [apps, people] call in
            try await ObjectReader.refuseBody(call.request)
            let devices = try await people.erase(
                call.userID, app: call.app, expectedVersion: call.expectedVersion)
            if devices == 0 { _ = try await apps.find(call.app) }
            return .json(["erased_devices": .count(devices)])
        }
    }
}

/// The body of a change to a person.
private enum PersonBody {
    static func read(
        _ bytes: [UInt8]
    ) throws(ByteReader.Malformed) -> (body: ProfileChanges, problems: [Problem]) {
        let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
            guard reader.peek() == UInt8(ascii: "{") else {
                try reader.wrongType("", "an object")
                return ProfileChanges()
            }
            return try reader.profile("") ?? ProfileChanges()
        }
        return (read.value, read.problems)
    }
}

extension AppCall {
    var userID: String {
        get throws(APIError) {
            let userID = request.parameters["user_id"] ?? ""
            guard let problem = RegistrationBody.problem(withUserID: userID) else { return userID }
            throw .invalidUserID(problem.message)
        }
    }
}

extension PersonRecord {
    fileprivate func response(_ names: InstallationNames) throws -> Response {
        let devices = devices.map { device in
            [
                "id": .id(device.id), "installation": .string(names.name(device.address.installation, of: device.id)),
                "kind": .string(device.address.kind.name), "registered": .bool(device.isRegistered),
            ] as JSON
        }
        return .json(
            [
                "user_id": .string(userID), "attributes": try JSON(parsing: profile.attributes.bytes),
                "tags": .texts(profile.tags), "opt_outs": .texts(profile.optOuts), "devices": .array(devices),
                "created_at": .time(createdAt), "updated_at": .time(updatedAt),
            ], version: version)
    }
}
