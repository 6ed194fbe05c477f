import Campaigns
import Crypto
import HTTPServer
import JSON
import Notifications
import Store

extension CredentialDraft {
    /// In characters; Apple's files have 257.
    private static let maximumP8Length = 4_096

    /// Reads a request's body. Throws all problems together.
    init(_ request: Request) async throws {
        var body = try await ObjectReader(request)
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
        guard let pem = body.text("p8", length: 1...maximumP8Length, as: .any) else { return nil }
        do throws(CryptoError) {
            return try SigningKey(pem: pem)
        } catch {
            // Crypto's messages never contain the key.
            body.refuse("p8", "not-a-signing-key", "must be the text of the .p8 file from Apple. \(error.clause)")
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

extension CryptoError {
    /// The description without its full stop: a problem's message gets one anyway.
    fileprivate var clause: String {
        description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}
