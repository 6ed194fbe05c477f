import APNS
import ArgumentParser
import Campaigns
import Crypto
import Dispatcher
import EventLoop
import Foundation
import JSON
import Logging
import Notifications
import TLS

extension Send {
    /// Sends the push from this process to Apple, with the signing key.
    func sendDirectly(on loop: EventLoop) async throws -> Report {
        let request = try Request(self)
        return try await withTaskExecutorPreference(loop) { try await send(request, on: loop) }
    }

    /// The validated arguments. All problems of the payload are reported together.
    private struct Request {
        let key: SigningKey
        let keyID: KeyID
        let teamID: TeamID
        let token: DeviceToken
        let payload: [UInt8]
        let headers: PushHeaders
        let endpoint: APNSEndpoint

        init(_ arguments: Send) throws {
            func given(_ name: String, _ argument: String?) throws -> String {
                guard let argument else { throw ValidationError("--\(name) is required; see belfry send --help.") }
                return argument
            }
            let p8 = try given("p8", arguments.p8)
            key = try signingKey(p8)
            keyID = try keyIdentifier(arguments.keyID, p8: p8)
            let teamText = try given("team-id", arguments.teamID)
            teamID = try validated("team-id") { try TeamID(teamText) }
            let tokenText = try given("token", arguments.token)
            token = try validated("token") { try DeviceToken(hex: tokenText.trimmed) }
            let bundleText = try given("bundle-id", arguments.bundleID)
            let bundleID = try validated("bundle-id") { try BundleID(bundleText) }
            guard let pushType = PushType(rawValue: arguments.pushType ?? PushType.alert.rawValue) else {
                throw ValidationError(
                    "--push-type must be one of \(PushType.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            let collapseID = try validated("collapse-id") { try arguments.collapseID.map { try CollapseID($0) } }
            let number = arguments.priority ?? pushType.defaultPriority.rawValue
            guard let priority = Priority(rawValue: number) else {
                throw ValidationError("--priority must be 10, 5 or 1.")
            }
            let seconds = arguments.expiration ?? Send.defaultExpiration
            let expires = seconds == 0 ? 0 : Int(Date().timeIntervalSince1970) + seconds
            payload = try Self.payload(arguments, pushType: pushType, priority: priority, expires: expires)
            headers = PushHeaders(
                bundleID: bundleID, pushType: pushType, priority: priority, expiration: expires, collapseID: collapseID)
            if let host = arguments.host {
                endpoint = APNSEndpoint(
                    host: host, port: try PortNumber.checked(arguments.port) ?? 443,
                    trust: arguments.caFile.map { .file($0) } ?? .systemRoots)
            } else {
                endpoint = arguments.environment == .production ? .production : .development
            }
        }

        private static func payload(
            _ arguments: Send, pushType: PushType, priority: Priority, expires: Int
        ) throws -> [UInt8] {
            let json = try arguments.payloadJSON()
            let problems = PushRules(
                pushType: pushType, priority: priority, expiration: expires, collapseID: arguments.collapseID,
                messageIDKey: nil
            ).problems(in: json).filter { $0.severity == .error }
            guard !problems.isEmpty else { return json.encoded() }
            let lines = problems.map { $0.path.isEmpty ? "  \($0.message)" : "  \($0.path): \($0.message)" }
            throw ValidationError("--payload is not valid:\n\(lines.joined(separator: "\n"))")
        }
    }

    private func send(_ request: Request, on loop: EventLoop) async throws -> Report {
        let reasons = ReasonTable()
        let logger = Logger.make(level: .error)
        let client = try APNSClient(
            endpoint: request.endpoint,
            tokens: LocalTokenSource(key: request.key, keyID: request.keyID, teamID: request.teamID),
            reasons: reasons, options: APNSOptions(), loop: loop, logger: logger)
        let window = PushWindow()
        window.reset(headers: request.headers, recordsUniqueIDs: true)
        window.allow(until: .now() + .seconds(30))
        let id = UUID().uuidString.lowercased()
        request.token.bytes.withUnsafeBytes { token in
            let (idBytes, payload) = window.beginPush(token: token)
            idBytes.copyBytes(from: id.utf8)
            payload.copyBytes(from: request.payload)
            window.endPush(payloadLength: request.payload.count)
        }
        let ending = await client.send(window)
        await client.shutDown()
        if case .unavailable(let error) = ending {
            throw CommandFailure("can't connect to \(request.endpoint.host):\(request.endpoint.port): \(error)")
        }
        let answer = TestPushResult(
            window.results[0], reasons: reasons, uniqueID: window.uniqueID(0), host: request.endpoint.host)
        let since = answer.invalidSince.map { Instant(microseconds: Int64($0) * 1_000).rfc3339 }
        return Report(answer: answer, id: id, device: nil, since: since)
    }
}
