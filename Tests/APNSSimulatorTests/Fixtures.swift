import Crypto
import Foundation
import Testing

@testable import APNSSimulator

/// A provider with its key, and valid requests for tests to change.
struct Provider {
    static let bundleID = "com.example.app"

    let keyID: String
    let teamID: String
    let signingKey: SigningKey

    init(keyID: String = "KEY4567890", teamID: String = "TEAM567890") throws {
        self.keyID = keyID
        self.teamID = teamID
        signingKey = try SigningKey.generate()
    }

    func key(
        scope: ProviderKey.Scope = .team, bundleIDs: Set<String> = [bundleID],
        environments: Set<SimulatorConfiguration.Environment> = [.sandbox, .production]
    ) -> ProviderKey {
        ProviderKey(
            keyID: keyID, teamID: teamID, publicKey: signingKey.publicKey, bundleIDs: bundleIDs, scope: scope,
            environments: environments)
    }

    func token(
        issuedAt: Date = Date(), algorithm: String = "ES256", isDER: Bool = false, isPadded: Bool = false
    ) throws -> String {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(Int(issuedAt.timeIntervalSince1970))}"#
        func encode(_ bytes: some Collection<UInt8>) -> String {
            let text = Base64URL.encode(bytes)
            return isPadded ? text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4) : text
        }
        let signed = encode(header.utf8) + "." + encode(claims.utf8)
        let signature =
            isDER ? try signingKey.derSignature(for: signed.utf8) : try signingKey.signature(for: signed.utf8)
        return signed + "." + encode(signature)
    }
}

extension PushRequest {
    static let id = "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"
    static let token = String(repeating: "0123456789abcdef", count: 4)

    static func make(
        authorization: String?, method: String = "POST", path: String? = nil, token: String = token,
        changes: [String: String?] = [:], extra: [(String, String)] = [], body: String = #"{"aps":{"alert":"Hi"}}"#
    ) -> PushRequest {
        var fields: [String: String] = [
            ":method": method, ":path": path ?? "/3/device/\(token)", "apns-topic": Provider.bundleID,
            "apns-push-type": "alert", "apns-id": id, "apns-priority": "10", "apns-expiration": "0",
        ]
        if let authorization { fields["authorization"] = authorization }
        for (name, value) in changes { fields[name] = value }
        var request = PushRequest()
        for (name, value) in Array(fields) + extra {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { request.append(name: name, value: $0) }
            }
        }
        Array(body.utf8).withUnsafeBytes { request.append(body: $0) }
        return request
    }
}

/// A validator with one provider and the token state of one connection.
struct Checker {
    var configuration: SimulatorConfiguration
    let provider: Provider
    let devices = DeviceTable()
    /// One token for all requests, because a connection may not change its token often.
    private let authorization: String
    var authority: ConnectionAuthority

    init(_ change: (inout SimulatorConfiguration) -> Void = { _ in }) throws {
        provider = try Provider()
        authorization = "bearer " + (try provider.token())
        var configuration = SimulatorConfiguration()
        configuration.keys = [provider.key()]
        change(&configuration)
        self.configuration = configuration
        authority = ConnectionAuthority(configuration)
    }

    mutating func check(_ request: PushRequest, at now: Date = Date()) -> RequestCheck {
        RequestValidator(configuration).check(
            request, &authority, devices: devices, at: now, environmentReason: "BadEnvironmentKeyIdInToken")
    }

    /// Checks a valid request with the given changes.
    mutating func check(
        method: String = "POST", path: String? = nil, token: String = PushRequest.token,
        changes: [String: String?] = [:], extra: [(String, String)] = [], body: String = #"{"aps":{"alert":"Hi"}}"#
    ) throws -> RequestCheck {
        check(
            .make(
                authorization: authorization, method: method, path: path, token: token,
                changes: changes, extra: extra, body: body))
    }
}
