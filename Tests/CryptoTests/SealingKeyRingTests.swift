import FoundationEssentials
import Testing

@testable import Crypto

@Suite struct SealingKeyRingTests {
    private static let bytes = [UInt8](0..<32)
    private static let context = SealingContext("instance")
    private static let old = String(repeating: "01", count: 32)
    private static let new = String(repeating: "02", count: 32)

    @Test func hexadecimalAndBase64AreTheSameKey() async throws {
        let hex = try SealingKeyRing(text: Hex.encode(Self.bytes).uppercased() + "\n")
        let base64 = try SealingKeyRing(text: " " + Base64URL.encode(Self.bytes) + "=")

        #expect(
            try base64.open(hex.seal([1, 2, 3], at: SealingContext("instance")), at: SealingContext("instance"))
                == [1, 2, 3])
    }

    @Test(arguments: ["", "secret", String(repeating: "a", count: 63), String(repeating: "g", count: 64)])
    func otherTextIsRefusedWithoutRepeatingIt(_ text: String) {
        #expect {
            try SealingKeyRing(text: text)
        } throws: { error in
            error as? SealingKeyError == .notAKey(number: 1) && (text.isEmpty || !"\(error)".contains(text))
        }
    }

    @Test func secretDoesNotOpenInAnotherContext() throws {
        let key = try SealingKeyRing(text: Hex.encode(Self.bytes))
        let sealed = try key.seal([7], at: SealingContext("message_keys/1/1"))

        #expect(throws: CryptoError.authenticationFailed) {
            try key.open(sealed, at: SealingContext("message_keys/2/1"))
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try key.open(sealed, at: SealingContext("message_keys/1/2"))
        }
    }

    @Test func firstKeySealsAndAllKeysOpen() throws {
        let before = try SealingKeyRing(text: Self.old)
        let after = try SealingKeyRing(text: "\(Self.new) # since May\r\n# before:\n\(Self.old)\n")
        let sealed = try before.seal([7], at: Self.context)

        #expect(try after.open(sealed, at: Self.context) == [7])
        let again = try after.seal([7], at: Self.context)
        #expect(try after.open(again, at: Self.context) == [7])
        // A process that is prepared for the next key opens what others seal with it.
        let prepared = try SealingKeyRing(text: "\(Self.old)\n\(Self.new)\n")
        #expect(try prepared.open(again, at: Self.context) == [7])
        #expect(again.starts(with: try SealingKeyRing(text: Self.new).current.header))
        #expect(throws: CryptoError.sealingKeyMissing(after.current.id)) { try before.open(again, at: Self.context) }
    }

    @Test func keyIDsAreStableAndDifferFromTheirKeys() throws {
        let ring = try SealingKeyRing(text: "\(Self.old) \(Self.new) \(Self.old)")
        // Computed with Python: hmac.digest(bytes([1] * 32), b"belfry sealing key id", "sha256")[:8].hex()
        #expect(ring.all.map(\.id.description) == ["1201efc5b277f796", "e26b9686b65831e2"])
        #expect(!"\(ring) \(ring.current)".contains("01"))
    }

    @Test func secretsWithoutAKeyIDOpenWithAnyKeyOfTheRing() throws {
        let cipher = try AESGCM(key: [UInt8](repeating: 1, count: 32))
        let ring = try SealingKeyRing(text: "\(Self.new) \(Self.old)")
        // Some begin with the byte that marks a key ID.
        for first in [0, 1, 2] as [UInt8] {
            let nonce = [first] + [UInt8](repeating: 9, count: 11)
            let sealed = try cipher.seal([7], authenticating: Array("instance".utf8), nonce: nonce)
            #expect(try ring.open(sealed, at: Self.context) == [7])
            #expect(throws: CryptoError.self) { try ring.open(sealed, at: SealingContext("other")) }
        }
    }

    @Test func changedKeyIDDoesNotOpen() throws {
        let ring = try SealingKeyRing(text: "\(Self.new) \(Self.old)")
        let sealed = try ring.seal([7], at: Self.context)
        let relabelled = ring.others[0].header + sealed.dropFirst(ring.current.header.count)
        #expect(throws: CryptoError.authenticationFailed) { try ring.open(relabelled, at: Self.context) }
        let bare = Array(sealed.dropFirst(ring.current.header.count))
        #expect(throws: CryptoError.self) { try ring.open(bare, at: Self.context) }
    }

    @Test func wrongKeyInTheRingIsNamedByItsNumber() throws {
        #expect(throws: SealingKeyError.notAKey(number: 2)) { try SealingKeyRing(text: "\(Self.new)\nsecret") }
        let many = (1...9).map { String(repeating: "0\($0)", count: 32) }
        #expect(try SealingKeyRing(text: many.dropLast().joined(separator: "\n")).all.count == 8)
        #expect(throws: SealingKeyError.tooManyKeys) { try SealingKeyRing(text: many.joined(separator: "\n")) }
    }

    @Test func missingFileIsMadeOnceForItsOwnerOnly() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"

            let keys = try await withThrowingTaskGroup(of: SealingKeyRing.self) { group in
                for _ in 0..<8 { group.addTask { try SealingKeyRing.load(file: path) } }
                return try await group.reduce(into: [SealingKeyRing]()) { $0.append($1) }
            }

            let sealed = try keys[0].seal([1], at: SealingContext("instance"))
            for key in keys { #expect(try key.open(sealed, at: SealingContext("instance")) == [1]) }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["sealing.key"])
        }
    }

    /// A new key would open nothing, and hide that the old one is gone.
    @Test func missingFileOfADatabaseWithSecretsIsNotMade() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"
            #expect(throws: SealingKeyError.self) { try SealingKeyRing.load(file: path, isNew: false) }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func fileWithoutAKeyIsRejectedWithAReason() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"
            #expect(Self.makeFile(path, "hello"))

            #expect(
                throws: SealingKeyError.unusableFile(
                    path, "key 1 in it is not 64 hexadecimal digits or 32 bytes in base64")
            ) {
                try SealingKeyRing.load(file: path)
            }
        }
    }

    @Test func fileThatIsTooLongIsRejectedAndNotCut() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"
            let text = Self.old + "\n#" + String(repeating: "x", count: 4_096) + "\n" + Self.new
            #expect(Self.makeFile(path, text))

            #expect(throws: SealingKeyError.unusableFile(path, "it has more than 4096 bytes")) {
                try SealingKeyRing.load(file: path)
            }
        }
    }

    @Test(arguments: [0o600, 0o400, 0o644, 0o604, 0o620, 0o666])
    func fileThatOthersMayReadIsRejected(_ mode: Int) async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"
            #expect(Self.makeFile(path, Self.old, mode: mode))
            guard mode & 0o077 != 0 else {
                _ = try SealingKeyRing.load(file: path)
                return
            }
            let reason = "other users can read or change it. Run chmod 600 \(path)"
            #expect(throws: SealingKeyError.unusableFile(path, reason)) { try SealingKeyRing.load(file: path) }
        }
    }

    private static func makeFile(_ path: String, _ text: String, mode: Int = 0o600) -> Bool {
        FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    }

    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try await body(directory)
        try FileManager.default.removeItem(atPath: directory)
    }
}
