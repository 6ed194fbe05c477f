import Campaigns
import EventLoop
import Postgres
import Store
import StoreSupport
import Testing

@testable import Application

@Suite struct KnownAPIKeysTests {
    @Test func recentlyUsedKeyCostsNoQuery() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let (key, text) = try await fixture.keys.create(app: nil, kind: .secret, name: "admin", scopes: [])
            _ = try await keys.find(text, from: nil)

            try await fixture.pool.execute("DELETE FROM api_keys")

            #expect(try await keys.find(text, from: nil) == .found(key))
        }
    }

    @Test func revokedKeyStopsWorkingHereImmediately() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let keys = KnownAPIKeys(fixture.keys)
            let (key, text) = try await fixture.keys.create(app: app.id, kind: .publishable, name: "app", scopes: [])
            #expect(try await keys.find(text, from: nil) == .found(key))

            try await keys.revoke(key.id, app: app.id)

            #expect(try await keys.find(text, from: nil) == .unknown)
        }
    }

    @Test func rememberedKeyEndsAtItsExpiry() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let expiry = Timestamp.now + .milliseconds(300)
            let (key, text) = try await fixture.keys.create(
                app: nil, kind: .secret, name: "admin", scopes: [], expiresAt: expiry)
            #expect(try await keys.find(text, from: nil) == .found(key) || Timestamp.now >= expiry)
            while Timestamp.now < expiry { try await fixture.pool.loop.sleep(for: .milliseconds(10)) }
            #expect(try await keys.find(text, from: nil) == .unknown)
            #expect(key.hasExpired(at: expiry) && !key.hasExpired(at: expiry - .milliseconds(1)))
        }
    }

    @Test func textThatIsNotAKeyIsNotFound() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let short = try await keys.find("bfs_short", from: nil)
            let foreign = try await keys.find(String(repeating: "x", count: 47), from: nil)

            #expect(short == .unknown && foreign == .unknown)
        }
    }

    @Test func guessesFromOneNetworkAreLimitedAndKnownKeysGoOn() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let (key, text) = try await fixture.keys.create(app: nil, kind: .secret, name: "known", scopes: [])
            let (other, otherText) = try await fixture.keys.create(app: nil, kind: .secret, name: "other", scopes: [])
            let network = try #require(IPAddress("192.0.2.7"))
            #expect(try await keys.find(text, from: network) == .found(key))
            func guess(_ number: Int) -> String { "bfs_" + String(repeating: "A", count: 40) + String(100 + number) }
            for number in 0..<KnownAPIKeys.guesses.burst {
                #expect(try await keys.find(guess(number), from: network) == .unknown)
            }
            guard case .wait(let delay) = try await keys.find(guess(99), from: network) else {
                Issue.record("not limited")
                return
            }
            #expect(delay > .zero && delay <= .seconds(1))
            #expect(try await keys.find(text, from: network) == .found(key))
            // One that was not used here yet waits; from elsewhere it works.
            guard case .wait = try await keys.find(otherText, from: network) else {
                Issue.record("not limited")
                return
            }
            #expect(try await keys.find(otherText, from: IPAddress("192.0.2.8")) == .found(other))
        }
    }

    @Test func phonesThatComeAllAtOnceAfterAStartAreNotTakenForGuesses() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let app = try await fixture.app()
            let (key, text) = try await fixture.keys.create(app: app.id, kind: .publishable, name: "app", scopes: [])
            let network = try #require(IPAddress("192.0.2.7"))
            try await withThrowingTaskGroup(of: KnownAPIKeys.Answer.self) { group in
                for _ in 0..<3 * KnownAPIKeys.guesses.burst {
                    group.addTask { try await keys.find(text, from: network) }
                }
                for try await answer in group {
                    guard case .found(let found) = answer else {
                        Issue.record("\(answer)")
                        continue
                    }
                    #expect(found.id == key.id)
                }
            }
        }
    }

    @Test func guessesAtOnceMakeTheNetworkWaitLonger() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let network = try #require(IPAddress("192.0.2.7"))
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<2 * KnownAPIKeys.guesses.burst {
                    group.addTask {
                        let guess = "bfs_" + String(repeating: "A", count: 40) + String(100 + number)
                        _ = try? await keys.find(guess, from: network)
                    }
                }
            }
            guard case .wait(let delay) = try await keys.find("bfs_" + String(repeating: "A", count: 43), from: network)
            else {
                Issue.record("not limited")
                return
            }
            #expect(delay > .zero && delay <= KnownAPIKeys.longestWait)
        }
    }

    @Test func mistypedKeyCostsNoQuery() async throws {
        try await StoreFixture.run { fixture in
            let (_, text) = try await fixture.keys.create(app: nil, kind: .secret, name: "x", scopes: [])
            #expect(APIKeyText.isPlausible(text) && text.utf8.count == APIKeyText.length)
            for index in text.indices {
                var wrong = text
                wrong.replaceSubrange(index...index, with: text[index] == "x" ? "y" : "x")
                #expect(!APIKeyText.isPlausible(wrong))
            }
            // Keys from before checksums work as they did.
            #expect(APIKeyText.isPlausible(String(text.prefix(47))))
            #expect(!APIKeyText.isPlausible(String(text.prefix(52))) && !APIKeyText.isPlausible(text + "A"))
        }
    }
}
