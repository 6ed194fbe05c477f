import Crypto
import Foundation
import Testing

@testable import APNSSimulator

struct ConnectionAuthorityTests {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let provider: Provider

    init() throws { provider = try Provider() }

    private func authority(_ keys: [ProviderKey]? = nil) -> ConnectionAuthority {
        var configuration = SimulatorConfiguration()
        configuration.keys = keys ?? [provider.key()]
        return ConnectionAuthority(configuration)
    }

    private func refusal(
        _ authority: inout ConnectionAuthority, _ text: String?, at time: Date? = nil
    ) -> APNSRejection? {
        let decision = authority.check(
            text.map { ArraySlice($0.utf8) }, at: time ?? now, environmentReason: "BadEnvironmentKeyIdInToken")
        if case .refused(let rejection) = decision { return rejection }
        return nil
    }

    private func flags(_ authority: inout ConnectionAuthority, _ text: String) -> PushWarnings? {
        let decision = authority.check(ArraySlice(text.utf8), at: now, environmentReason: "")
        if case .allowed(_, let flags) = decision { return flags }
        return nil
    }

    /// The listener knows `provider` only.
    private func lenient() -> ConnectionAuthority {
        var configuration = SimulatorConfiguration()
        configuration.keys = [provider.key()]
        configuration.acceptsUnknownKeys = true
        return ConnectionAuthority(configuration)
    }

    @Test func unknownKeyIsAcceptedOnlyIfConfigured() throws {
        let token = "bearer " + (try Provider(keyID: "STRANGER00", teamID: "OTHERTEAM0").token(issuedAt: now))
        var strict = authority()
        var lenient = lenient()

        #expect(refusal(&strict, token) == .invalidProviderToken)
        #expect(refusal(&lenient, token) == nil)
        #expect(lenient.tokenCount == 1)
    }

    @Test func tokensOfUnknownKeysAreStillChecked() throws {
        let stranger = try Provider(keyID: "STRANGER00")
        let good = try stranger.token(issuedAt: now)
        let unsigned = good.split(separator: ".").prefix(2).joined(separator: ".") + "."
        for broken in [
            unsigned + Base64URL.encode([UInt8](repeating: 0, count: 64)), unsigned + "AAAA", "x", "a.b.c",
            try stranger.token(issuedAt: now, algorithm: "none"), try Provider(keyID: "short").token(issuedAt: now),
            try Provider(keyID: "lowercase0").token(issuedAt: now),
            // A key that the listener knows is verified as always.
            try Provider().token(issuedAt: now),
        ] {
            var authority = lenient()
            #expect(refusal(&authority, "bearer " + broken) == .invalidProviderToken, "\(broken)")
        }
        var authority = lenient()
        let old = try stranger.token(issuedAt: now.addingTimeInterval(-3_601))
        #expect(refusal(&authority, "bearer " + old) == .expiredProviderToken)
        #expect(refusal(&authority, "bearer " + good) == nil)
        let again = try stranger.token(issuedAt: now.addingTimeInterval(1))
        #expect(refusal(&authority, "bearer " + again, at: now.addingTimeInterval(60)) == .tooManyProviderTokenUpdates)
    }

    @Test func unknownKeyCanNotUseTheBundleIDsOfOthers() throws {
        for (team, isValid) in [("OTHERTEAM0", false), (provider.teamID, true)] {
            let token = "bearer " + (try Provider(keyID: "STRANGER00", teamID: team).token(issuedAt: now))
            var authority = lenient()
            guard case .allowed(let key, _) = authority.check(ArraySlice(token.utf8), at: now, environmentReason: "")
            else {
                Issue.record("the token of \(team) was refused")
                continue
            }
            #expect(key.isValid(for: Provider.bundleID) == isValid)
            #expect(key.isValid(for: "com.example.new"))
        }
    }

    @Test(arguments: [nil, "", "bearer ", "basic abc", "bearer"])
    func requestWithoutBearerTokenIsRejected(text: String?) {
        var authority = authority()

        #expect(refusal(&authority, text) == .missingProviderToken)
    }

    @Test func schemeIsCaseInsensitive() throws {
        var authority = authority()

        #expect(refusal(&authority, "Bearer " + (try provider.token(issuedAt: now))) == nil)
    }

    @Test func brokenTokensAreInvalid() throws {
        let stranger = try Provider(keyID: "STRANGER00")
        let impostor = try Provider()
        let otherTeam = try Provider(teamID: "OTHERTEAM0")
        let good = try provider.token(issuedAt: now)
        let broken = [
            "x", "a.b.c", String(good.dropLast(3)) + "AAA", try provider.token(issuedAt: now, algorithm: "none"),
            try stranger.token(issuedAt: now), try impostor.token(issuedAt: now), try otherTeam.token(issuedAt: now),
        ]
        for token in broken {
            var authority = authority()
            #expect(refusal(&authority, "bearer " + token) == .invalidProviderToken)
            #expect(authority.tokenCount == 0)
        }
    }

    @Test func derAndPaddingAreAcceptedAndFlagged() throws {
        var authority = authority()
        var other = self.authority()
        var plain = self.authority()

        #expect(flags(&authority, "bearer " + (try provider.token(issuedAt: now, isDER: true))) == .derSignature)
        #expect(flags(&other, "bearer " + (try provider.token(issuedAt: now, isPadded: true))) == .nonStandardBase64)
        #expect(flags(&plain, "bearer " + (try provider.token(issuedAt: now))) == [])
    }

    @Test func tokenLivesForAnHour() throws {
        var authority = authority()
        let token = "bearer " + (try provider.token(issuedAt: now))

        #expect(refusal(&authority, token, at: now + 3_600) == nil)
        #expect(refusal(&authority, token, at: now + 3_601) == .expiredProviderToken)
    }

    @Test func futureTokenIsInvalidBeyondTheTolerance() throws {
        var authority = authority()

        let near = "bearer " + (try provider.token(issuedAt: now + 300))
        #expect(flags(&authority, near) == .issuedInFuture)
        var other = self.authority()
        #expect(refusal(&other, "bearer " + (try provider.token(issuedAt: now + 301))) == .invalidProviderToken)
    }

    @Test func tokenMayChangeOnceInTwentyMinutes() throws {
        var authority = authority()
        #expect(refusal(&authority, "bearer " + (try provider.token(issuedAt: now))) == nil)

        let second = "bearer " + (try provider.token(issuedAt: now + 1_100))
        #expect(refusal(&authority, second, at: now + 1_199) == .tooManyProviderTokenUpdates)
        #expect(refusal(&authority, second, at: now + 1_200) == nil)

        #expect(authority.tokenCount == 2)
    }

    @Test func keyOfTheOtherEnvironmentIsRefused() throws {
        var authority = authority([provider.key(environments: [.sandbox])])

        #expect(
            refusal(&authority, "bearer " + (try provider.token(issuedAt: now)))
                == APNSRejection(status: 403, reason: "BadEnvironmentKeyIdInToken"))
    }

    @Test func firstKeyBindsTheConnection() throws {
        let successor = try Provider(keyID: "SUCCESSOR0")
        let topical = try Provider(keyID: "TOPICAL000")
        let unrelated = try Provider(keyID: "UNRELATED0")
        let otherTeam = try Provider(keyID: "OTHERTEAM0", teamID: "OTHERTEAM0")
        let keys = [
            provider.key(scope: .topics(family: "a")), successor.key(scope: .topics(family: "a")), topical.key(),
            unrelated.key(scope: .topics(family: "b")), otherTeam.key(),
        ]
        var authority = authority(keys)

        let token = "bearer " + (try provider.token(issuedAt: now))
        #expect(refusal(&authority, token) == nil)
        #expect(refusal(&authority, "bearer " + (try successor.token(issuedAt: now))) == nil)
        #expect(refusal(&authority, token) == nil)
        #expect(refusal(&authority, "bearer " + (try topical.token(issuedAt: now))) == .unrelatedKey)
        #expect(refusal(&authority, "bearer " + (try unrelated.token(issuedAt: now))) == .unrelatedKey)
        #expect(refusal(&authority, "bearer " + (try otherTeam.token(issuedAt: now))) == .invalidProviderToken)
    }
}
