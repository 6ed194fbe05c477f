import Crypto
import FoundationEssentials

/// A provider's JWT, parsed as leniently as Apple seems to parse it.
struct ProviderToken {
    let keyID: String
    let teamID: String
    let issuedAt: Date
    let flags: PushWarnings
    private let signedPart: [UInt8]
    private let signature: [UInt8]

    /// The size of R‖S in bytes.
    private static let rawSignatureLength = 64
    /// Characters of a key id and of a team id.
    private static let identifierLength = 10
    /// The maximum size of a token in bytes; a longer one is invalid.
    private static let largest = 4_096

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: Double
    }

    /// The token after "bearer " (in any case), or nil if the header has another scheme or no token.
    static func bearer(_ authorization: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = authorization.prefix(7)
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer " else { return nil }
        let token = authorization.dropFirst(7)
        return token.isEmpty ? nil : token
    }

    /// Returns nil if the text is not an ES256 token with a key id, a team and an issue time.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.largest else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        do {
            let header = try JSONDecoder().decode(Header.self, from: Self.decode(parts[0]))
            let claims = try JSONDecoder().decode(Claims.self, from: Self.decode(parts[1]))
            guard header.alg == "ES256" else { return nil }
            keyID = header.kid
            teamID = claims.iss
            issuedAt = Date(timeIntervalSince1970: claims.iat)
            signature = try Base64URL.decode(parts[2], tolerating: .lenient)
        } catch {
            // Apple answers InvalidProviderToken without further detail.
            return nil
        }
        signedPart = Array(text[..<parts[1].endIndex])
        var flags: PushWarnings = []
        if text.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
            flags.insert(.nonStandardBase64)
        }
        if signature.count != Self.rawSignatureLength { flags.insert(.derSignature) }
        self.flags = flags
    }

    func isSigned(by key: VerifyingKey) -> Bool { key.isValid(signature: signature, for: signedPart) }

    /// Whether key id, team and signature have the form of Apple's, which is all that can be said without the key.
    var isWellFormed: Bool {
        let half = Self.rawSignatureLength / 2
        return [keyID, teamID].allSatisfy(Self.isIdentifier) && signature.count == Self.rawSignatureLength
            && signature.prefix(half).contains { $0 != 0 } && signature.suffix(half).contains { $0 != 0 }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == identifierLength
            && text.utf8.allSatisfy {
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            }
    }

    private static func decode(_ part: ArraySlice<UInt8>) throws(CryptoError) -> Data {
        Data(try Base64URL.decode(part, tolerating: .lenient))
    }
}
