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
