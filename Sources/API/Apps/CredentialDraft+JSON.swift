import Campaigns
import Crypto
import HTTPServer
import JSON
import Notifications
import Store

extension CredentialDraft {
    /// In characters; Apple's files have 257. A larger file of another kind is named, not measured.
    private static let p8Length = 1...16_384

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
        // Any characters: a binary file that was opened as text is named as what it is.
        body.value("p8") { (file) throws(InvalidValue) in
            let count = file.unicodeScalars.count
            guard p8Length ~= count else {
                throw InvalidValue(
                    count == 0 ? "too-short" : "too-long",
                    "must have \(p8Length.lowerBound) to \(p8Length.upperBound) characters, not \(count)")
            }
            return try SigningKey(p8: file.utf8)
        }
    }

    private static func environments(_ body: inout ObjectReader) -> Set<PushEnvironment>? {
        let names = PushEnvironment.allCases.map(\.name)
        let environments = body.names("environments", among: names) { PushEnvironment(name: $0) }
        if environments?.isEmpty == true { body.refuse("environments", "empty", "must name at least one environment") }
        return environments
    }
}
