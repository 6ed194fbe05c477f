import Campaigns
import Crypto
import HTTPServer
import JSON
import Notifications
import Store

extension CredentialDraft {
    /// In characters; Apple's files have 257. A larger file of another kind is named, not measured.
    private static let maximumP8Length = 16_384

    /// Reads a request's body. Throws all problems together.
    init(_ request: Request) async throws {
        var body = try await ObjectReader(request)
        try self.init(&body)
    }

    /// The same for a check. Nil for a body that has nothing but a key, which was read then.
    static func checked(_ request: Request) async throws -> CredentialDraft? {
        var body = try await ObjectReader(request)
        guard body.has("p8"), !["key_id", "team_id", "environments"].contains(where: { body.has($0) }) else {
            return try CredentialDraft(&body)
        }
        _ = signingKey(&body)
        try body.finish()
        return nil
    }

    private init(_ body: inout ObjectReader) throws {
        body.require("key_id", "team_id", "p8", "environments")
        let keyID = body.value("key_id") { (text) throws(InvalidValue) in try KeyID(text) }
        let teamID = body.value("team_id") { (text) throws(InvalidValue) in try TeamID(text) }
        let key = Self.signingKey(&body)
        let environments = Self.environments(&body)
        try body.finish()
        guard let keyID, let teamID, let key, let environments else { throw APIError(problems: []) }
        self.init(keyID: keyID, teamID: teamID, key: key, environments: environments)
    }

    private static func signingKey(_ body: inout ObjectReader) -> SigningKey? {
        guard let file = body.text("p8", length: 1...maximumP8Length, as: .any) else { return nil }
        do throws(InvalidValue) {
            return try SigningKey(p8: file.utf8)
        } catch {
            body.refuse("p8", error.code, error.message)
            return nil
        }
    }

    private static func environments(_ body: inout ObjectReader) -> Set<PushEnvironment>? {
        let names = PushEnvironment.allCases.map(\.name)
        let environments = body.names("environments", among: names) { PushEnvironment(name: $0) }
        if environments?.isEmpty == true { body.refuse("environments", "empty", "must name at least one environment") }
        return environments
    }
}
