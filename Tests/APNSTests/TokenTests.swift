import APNSSimulator
import Crypto
import EventLoop
import Foundation
import Notifications
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct TokenTests {
    /// A connection that reports the token as expired keeps doing so: token and connection are renewed.
    @Test(arguments: [1, 50])
    func rejectingConnectionIsReplacedWithANewToken(number: Int) async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.expiredTokenFromNowOn, .nth(number))])
            let window = try APNSFixture.window(0..<100)
            guard case .done = await fixture.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 100)
            fixture.expectAcceptedOnce(0..<100)
            #expect(fixture.tokens.replacements == 1)
            let counts = fixture.server.record.counts
            #expect(counts.connects == 2 && counts.providerTokensOnAConnection == 1)
            #expect(counts.refused["ExpiredProviderToken"] == counts.requests - 100)
        }
    }

    /// The others would be refused too.
    @Test(arguments: [(APNSRejection.expiredProviderToken, 1), (.unrelatedKey, 0)])
    func pushThatIsRefusedAgainEndsTheWindow(_ refusal: APNSRejection, _ replacements: Int) async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.answer(refusal))])
            let window = try APNSFixture.window(0..<100)
            guard case .unavailable(.refusedAgain(refusal.reason)) = await fixture.client.send(window)
            else { throw Unexpected() }

            #expect(window.results[0].isRejected && window.unsentCount == 99)
            #expect(fixture.server.record.counts.requests == 2)
            #expect(fixture.tokens.replacements == replacements)
        }
    }

    @Test func tokenIsASignedWebToken() throws {
        let key = try SigningKey.generate()
        let token = try ProviderToken(
            key: key, keyID: try KeyID("ABC123DEFG"), teamID: try TeamID("DEF123GHIJ"), issuedAt: 1_437_179_036)
        let parts = token.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)

        let header = try JSONDecoder().decode([String: String].self, from: #require(decoded(parts[0])))
        #expect(header == ["alg": "ES256", "kid": "ABC123DEFG"])
        struct Claims: Decodable, Equatable {
            var iss: String
            var iat: Int
        }
        let claims = try JSONDecoder().decode(Claims.self, from: #require(decoded(parts[1])))
        #expect(claims == Claims(iss: "DEF123GHIJ", iat: 1_437_179_036))
        let signature = Array(try #require(decoded(parts[2])))
        #expect(signature.count == 64)
        #expect(key.publicKey.isValid(signature: signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(!key.publicKey.isValid(signature: signature, for: Array("\(parts[0]).\(parts[1])x".utf8)))
        #expect(String(decoding: token.authorization, as: UTF8.self) == "bearer \(token.text)")
        #expect(ProviderToken(text: token.text, issuedAt: token.issuedAt) == token)
    }

    /// By Foundation, and without the padding that JOSE leaves out.
    private func decoded(_ part: String) -> Data? {
        guard !part.contains(where: { "+/=".contains($0) }) else { return nil }
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    @Test func localSourceRenewsByAge() async throws {
        let clock = Lock(1_000_000)
        let source = LocalTokenSource(
            key: try SigningKey.generate(), keyID: try KeyID("ABC123DEFG"), teamID: try TeamID("DEF123GHIJ"),
            clock: { clock.withLock { $0 } })
        let first = try await source.token()
        #expect(first.issuedAt == 1_000_000)

        clock.withLock { $0 += LocalTokenSource.renewalAge - 1 }
        #expect(try await source.token() == first)
        clock.withLock { $0 += 1 }
        let second = try await source.token()
        #expect(second.issuedAt == 1_000_000 + LocalTokenSource.renewalAge)
        #expect(second.text != first.text)
    }

    @Test func localSourceReplacesNoTokenThatIsTooYoung() async throws {
        let clock = Lock(0)
        let source = LocalTokenSource(
            key: try SigningKey.generate(), keyID: try KeyID("ABC123DEFG"), teamID: try TeamID("DEF123GHIJ"),
            clock: { clock.withLock { $0 } })
        let first = try await source.token()
        clock.withLock { $0 = LocalTokenSource.minimumAge - 1 }
        #expect(try await source.replace(first) == first)
        clock.withLock { $0 += 1 }
        #expect(try await source.replace(first).issuedAt == LocalTokenSource.minimumAge)
    }
}
