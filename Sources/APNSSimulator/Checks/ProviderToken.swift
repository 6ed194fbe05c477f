import Crypto
import FoundationEssentials

/// A provider's JWT, taken apart as leniently as Apple seems to do it.
struct ProviderToken {
    let keyID: String
    let teamID: String
    let issuedAt: Date
    let flags: Flags
    private let signedPart: [UInt8]
    private let signature: [UInt8]

    /// Bytes of R‖S.
    private static let rawSignatureLength = 64
    /// Bytes of an `authorization` that is looked at.
    private static let largest = 4_096

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: Double
    }

    /// The token behind "bearer " in any case, or nil when the header is of another scheme.
    static func bearer(_ authorization: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = authorization.prefix(7)
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer " else { return nil }
        let token = authorization.dropFirst(7)
        return token.isEmpty ? nil : token
    }

    /// Nil when it is no ES256 token with a key id, a team and a time.
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
            // Apple says no more about it than InvalidProviderToken.
            return nil
        }
        signedPart = Array(text[..<parts[1].endIndex])
        var flags: Flags = []
        if text.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
            flags.insert(.looseBase64)
        }
        if signature.count != Self.rawSignatureLength { flags.insert(.derSignature) }
        self.flags = flags
    }

    func isSigned(by key: VerifyingKey) -> Bool { key.isValid(signature: signature, for: signedPart) }

    private static func decode(_ part: ArraySlice<UInt8>) throws(CryptoError) -> Data {
        Data(try Base64URL.decode(part, tolerating: .lenient))
    }
}
