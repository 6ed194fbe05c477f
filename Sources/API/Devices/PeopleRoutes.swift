import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Erases a person: all of their devices.
struct PeopleRoutes: RouteGroup {
    let apps: AppStore
    let people: PersonStore

    func add(to routes: inout Routes) {
        routes.addForApp(.delete, "/people/{user_id}", for: .secret(.devicesWrite)) { [apps, people] call in
            try await ObjectReader.refuseBody(call.request)
            guard let userID = call.request.parameters["user_id"],
                1...RegistrationBody.maximumUserIDLength ~= userID.utf8.count, !userID.utf8.contains(0)
            else {
                throw APIError.badRequest(
                    "invalid-user-id",
                    "The user id must be 1 to \(RegistrationBody.maximumUserIDLength) bytes, without "
                        + "U+0000.",
                    field: "user_id")
            }
            let devices = try await people.erase(userID, app: call.app)
            if devices == 0 { _ = try await apps.find(call.app) }
            return .json(["devices": .count(devices)])
        }
    }
}
