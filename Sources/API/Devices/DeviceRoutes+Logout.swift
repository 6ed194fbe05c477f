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
    /// Logs the user out, on all devices of the installation. Apps repeat requests, so a logout can say of whom, and
    /// when it was sent.
    func addLogout(to routes: inout Routes) {
        routes.addForApp(
            .post, Self.path + "/logout", for: .publishable(or: .devicesWrite),
            bodyLimit: RegistrationBody.maximumSize, audit: .people
        ) { [devices, admission] call in
            let installation = try call.deviceAddress.installation
            let body = try await LogoutBody.read(call.request)
            let logout = try await devices.logOut(
                app: call.app, installation: installation, user: body.userID, sentAt: body.sentAt)
            // The number tells whether the named user has the device, and a signature would have proved that.
            let isUnproven =
                call.caller.isPublishable ? try await admission.verifiesIdentity(app: call.app) : false
            return .json(
                [
                    "installation": .string(installation), "logged_out": isUnproven ? .null : .count(logout.loggedOut),
                    "is_outdated": .bool(logout.isOutdated), "warnings": .array(body.warnings.map(\.json)),
                ] as JSON)
        }
    }
}

/// The body of a logout, which may be empty.
private struct LogoutBody {
    /// Nil: the user who is logged in, whatever their ID.
    var userID: String?
    var sentAt: Instant?
    var warnings: [Problem] = []

    static func read(_ request: Request) async throws -> LogoutBody {
        let bytes = try await request.body.collect()
        guard !bytes.isEmpty else { return LogoutBody() }
        try ObjectReader.checkContentType(request)
        return try ByteReader.checking { () throws(ByteReader.Malformed) in
            let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
                try LogoutBody(&reader)
            }
            return (read.value, read.problems)
        }
    }

    init() {}

    private init(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.wrongType("", "an object")
            return
        }
        var seen: Set<String> = []
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard seen.insert(key).inserted else { throw reader.repeated(key) }
            switch key {
            case "user_id": self.userID = try reader.text(key, 1...RegistrationBody.maximumUserIDLength).value
            case "sent_at": self.sentAt = try reader.sendingTime(key, &self.warnings)
            default: try reader.unknownMember(key)
            }
        }
    }
}
