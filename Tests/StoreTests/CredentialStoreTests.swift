import Campaigns
import Crypto
import Notifications
import Postgres
import Store
import StoreSupport
import Testing

@Suite struct CredentialStoreTests {
    @Test func keyIsReturnedForItsEnvironmentsOnly() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let key = try SigningKey.generate()
            let made = try await fixture.credentials.create(
                app: app.id, keyID: KeyID("ABC123DEFG"), teamID: TeamID("TEAM123456"), key: key,
                environments: [.development])

            let found = try await fixture.credentials.signingKey(app: app.id, environment: .development)

            #expect(found?.credential == made)
            #expect(found?.key.pem == key.pem)
            #expect(try await fixture.credentials.signingKey(app: app.id, environment: .production) == nil)
            let stored = try await fixture.pool.query("SELECT sealed_key FROM credentials")
            let bytes: [UInt8] = try stored[0][0]
            #expect(!String(decoding: bytes, as: UTF8.self).contains("PRIVATE"))
        }
    }

    @Test func sealedKeyOfAnotherAppCannotBeOpened() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            for app in [app, other] {
                _ = try await fixture.credentials.create(
                    app: app.id, keyID: KeyID("ABC123DEFG"), teamID: TeamID("TEAM123456"), key: .generate(),
                    environments: [.production])
            }
            try await fixture.pool.execute(
                """
                UPDATE credentials SET sealed_key = (SELECT sealed_key FROM credentials WHERE app_id = \(app.id))
                WHERE app_id = \(other.id)
                """)

            await #expect(throws: CryptoError.authenticationFailed) {
                _ = try await fixture.credentials.signingKey(app: other.id, environment: .production)
            }
        }
    }

    @Test func storedKeysAreListedEvenIfOneCannotBeOpened() async throws {
        try await StoreFixture.run { fixture in
            let key = try SigningKey.generate()
            for name in ["Shop", "Club"] {
                _ = try await fixture.credentials.create(
                    app: fixture.app("com.example.\(name)").id, keyID: KeyID("ABC123DEFG"),
                    teamID: TeamID("TEAM123456"), key: key, environments: [.production])
            }
            try await fixture.pool.execute(
                "UPDATE credentials SET sealed_key = '' WHERE id = (SELECT min(id) FROM credentials)")
            let stored = try await fixture.credentials.stored(limit: 10)
            #expect(stored.map(\.bundleID.text) == ["com.example.Club", "com.example.Shop"])
            #expect(stored.map(\.key?.pem) == [key.pem, nil])
            #expect(try await fixture.credentials.stored(limit: 1).count == 1)
        }
    }

    @Test func currentTokenIsReadWhileItIsYoungEnough() async throws {
        try await StoreFixture.run { fixture in
            let (team, id) = (try TeamID("TEAM123456"), try KeyID("ABC123DEFG"))
            let key = try SigningKey.generate().publicKey
            let tokens = fixture.stores.providerTokens
            #expect(try await tokens.current(team: team, keyID: id, key: key, youngerThan: 60) == nil)
            #expect(try await fixture.pool.query("SELECT FROM provider_tokens").isEmpty)
            let made = try await tokens.token(team: team, keyID: id, key: key, olderThan: 60) { _ in "token" }
            let current = try await tokens.current(team: team, keyID: id, key: key, youngerThan: 60)
            #expect(current?.text == "token" && current?.issuedAt == made.issuedAt)
            #expect(try await tokens.current(team: team, keyID: id, key: key, youngerThan: 0) == nil)
        }
    }

    /// Apple limits how often the token of a key changes.
    @Test func tokenOfAKeyThatAppsShareStaysWhenAnAppJoinsOrLeaves() async throws {
        try await StoreFixture.run { fixture in
            let (team, id) = (try TeamID("TEAM123456"), try KeyID("ABC123DEFG"))
            let key = try SigningKey.generate()
            var apps: [App.ID] = []
            for name in ["Shop", "Club", "News"] { apps.append(try await fixture.app("com.example.\(name)").id) }
            func add(_ key: SigningKey, to app: App.ID) async throws -> Credential {
                try await fixture.credentials.create(
                    app: app, keyID: id, teamID: team, key: key, environments: [.production])
            }
            func token(_ new: String, of other: SigningKey? = nil) async throws -> String {
                try await fixture.stores.providerTokens.token(
                    team: team, keyID: id, key: (other ?? key).publicKey, olderThan: 2_400
                ) { _ in new }.text
            }
            let first = try await add(key, to: apps[0])
            #expect(try await token("first") == "first")
            let second = try await add(key, to: apps[1])
            #expect(try await token("second") == "first")
            try await fixture.credentials.delete(first.id, app: apps[0])
            #expect(try await token("third") == "first")
            // Somebody adds a different key under the same id: by mistake, or the others will follow.
            let wrong = try SigningKey.generate()
            _ = try await add(wrong, to: apps[2])
            #expect(try await token("wrong", of: wrong) == "wrong")
            #expect(try await token("fourth") == "first")
            try await fixture.pool.execute("DELETE FROM credentials WHERE id <> \(second.id)")
            try await fixture.credentials.delete(second.id, app: apps[1])
            #expect(try await token("fifth") == "fifth")
        }
    }

    @Test func tokenFromTheFutureIsReplaced() async throws {
        try await StoreFixture.run { fixture in
            let (team, id) = (try TeamID("TEAM123456"), try KeyID("ABC123DEFG"))
            let key = try SigningKey.generate().publicKey
            func token(_ new: String) async throws -> String {
                try await fixture.stores.providerTokens.token(team: team, keyID: id, key: key, olderThan: 2_400) { _ in
                    new
                }.text
            }
            #expect(try await token("first") == "first")
            try await fixture.pool.execute("UPDATE provider_tokens SET issued_at = now() + interval '30 seconds'")
            #expect(try await token("second") == "first")
            // The clock was set back by an hour.
            try await fixture.pool.execute("UPDATE provider_tokens SET issued_at = now() + interval '1 hour'")
            #expect(try await token("third") == "third")
            #expect(try await token("fourth") == "third")
        }
    }

    @Test func keyIDIsUniquePerApp() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            func create(in app: App.ID) async throws -> Credential {
                try await fixture.credentials.create(
                    app: app, keyID: KeyID("ABC123DEFG"), teamID: TeamID("TEAM123456"), key: .generate(),
                    environments: [.production])
            }
            let credential = try await create(in: app.id)

            await #expect(throws: Refusal.keyIDTaken) { _ = try await create(in: app.id) }
            await #expect(throws: Refusal.notFound(.app)) { _ = try await create(in: .init(rawValue: 999)) }
            try await fixture.credentials.delete(credential.id, app: app.id)
            await #expect(throws: Refusal.notFound(.credential)) {
                try await fixture.credentials.delete(credential.id, app: app.id)
            }
            _ = try await create(in: app.id)
        }
    }
}
