import Crypto
import HTTPTypes
import JSON
import Notifications
import Testing

@Suite struct CredentialRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func signingKeyIsStoredAndNeverGivenBack(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())/credentials"
            let pem = try SigningKey.generate().pem

            let made = try await api.send(.post, path, Self.body(p8: pem))

            #expect(made.status == 201)
            #expect(try made.json["environments"] == ["production", "development"])
            let list = try await api.send(.get, path)
            #expect(try list.page.ids == [made.text("id")])
            for answer in [made, list] {
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("PRIVATE KEY"))
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("p8"))
            }
            let again = try await api.send(.post, path, Self.body(p8: pem))
            #expect(again.code == "key-id-taken")
            #expect(try await api.send(.delete, path + "/" + made.text("id")).status == 204)
            #expect(try await api.send(.delete, path + "/" + made.text("id")).code == "credential-not-found")
        }
    }

    @Test func unusableKeysAreRefusedWithAReason() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/credentials"
            for (pem, words) in [
                (Self.p384, "P-256"), ("hello", "private key"), (try SigningKey.generate().publicKey.pem, "public key"),
            ] {
                let answer = try await api.send(.post, path, Self.body(p8: pem))
                #expect(answer.status == 422)
                #expect(answer.problems == ["p8: not-a-signing-key"])
                #expect(answer.text("detail").contains(words))
                #expect(!answer.text("detail").contains("MIG2"))
            }
            #expect(try await api.send(.get, path).page.ids.isEmpty)
        }
    }

    @Test func pastedKeysAndIdentifiersAreRepaired() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/credentials"
            let pem = try SigningKey.generate().pem.replacing("\n", with: "\\n")

            let made = try await api.send(
                .post, path, Self.body(keyID: " AuthKey_abc123defg.p8", teamID: "team123456\u{A0}", p8: "\"\(pem)\""))

            #expect(made.status == 201)
            #expect(made.text("key_id") == "ABC123DEFG" && made.text("team_id") == "TEAM123456")
            let page = try await api.send(.post, path, Self.body(p8: "<html>Sign in</html>"))
            #expect(
                page.text("detail").contains(
                    "must be the .p8 file from Apple, AuthKey_….p8. This is not a usable private key: the file is a web "
                        + "page, not the download"))
        }
    }

    @Test func identifiersAreTenUpperCaseCharacters() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/credentials"

            let answer = try await api.send(
                .post, path, Self.body(keyID: "ABC123DEF", teamID: "team-12345", p8: "", environments: []))

            #expect(answer.status == 422)
            let expected = [
                "environments: empty", "key_id: wrong-length", "p8: too-short", "team_id: bad-character",
            ]
            #expect(answer.problems.sorted() == expected)
            let unknown = try await api.send(
                .post, path, Self.body(p8: try SigningKey.generate().pem, environments: ["production", "sandbox"]))
            #expect(unknown.problems == ["environments[1]: unknown-value"])
        }
    }

    @Test func keyIsCheckedWithoutBeingStored() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/credentials"

            let answer = try await api.send(.post, path + "/check", Self.body(p8: try SigningKey.generate().pem))

            #expect(answer.status == 200)
            let bundleID = try await api.send(.get, String(path.dropLast("/credentials".count))).text("bundle_id")
            #expect(
                try answer.json["data"] == [
                    [
                        "environment": "production", "outcome": "accepted", "host": "apple", "status": 400,
                        "reason": .null, "meaning": .string(bundleID),
                        "meaning_localization": ["key": "{}", "arguments": [.string(bundleID)]],
                        "remedy": .null, "remedy_localization": .null,
                    ],
                    [
                        "environment": "development", "outcome": "rejected", "host": "apple", "status": 403,
                        "reason": "BadEnvironmentKeyInToken", "meaning": "ABC123DEFG",
                        "meaning_localization": ["key": "{}", "arguments": ["ABC123DEFG"]],
                        "remedy": "TEAM123456",
                        "remedy_localization": ["key": "{}", "arguments": ["TEAM123456"]],
                    ],
                ])
            #expect(try await api.send(.get, path).page.ids.isEmpty)
            let alone = try await api.send(.post, path + "/check", ["p8": .string(try SigningKey.generate().pem)])
            #expect(try alone.status == 200 && alone.json["data"] == [])
            #expect(try await api.send(.post, path + "/check", ["p8": "x"]).problems == ["p8: not-a-signing-key"])
            #expect(try await api.send(.post, path + "/check", [:]).problems.count == 4)
            let unusable = try await api.send(.post, path + "/check", Self.body(p8: Self.p384))
            #expect(unusable.problems == ["p8: not-a-signing-key"])
            #expect(try await api.send(.post, "/v1/apps/99/credentials/check", Self.body(p8: "x")).status == 404)
        }
    }

    private static func body(
        keyID: String = "ABC123DEFG", teamID: String = "TEAM123456", p8: String,
        environments: JSON = ["development", "production"]
    ) -> JSON {
        [
            "key_id": .string(keyID), "team_id": .string(teamID), "p8": .string(p8), "environments": environments,
        ]
    }

    /// Made for this test with `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384`.
    private static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAFP3VFwlG5MhIS/vcC
        vzDYW0R22Jzn8uxCUBpCQvnDeROGSfoiPOfcBRc2lLFONcyhZANiAAQE1Ce58Lof
        y4Y+eh2Psr1vkHJvLk2l4gRV3H0WjZRWAiWIKZxL5nFxypcm8g8WWt3TeLtNZXQI
        fxTKQv5xutEnX+KvMQdAEkPtw6JRR23XQFwz5CSxVV4u83TRLO92MP0=
        -----END PRIVATE KEY-----
        """
}
