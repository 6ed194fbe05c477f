import FoundationEssentials
import Testing

@testable import Crypto

@Suite struct SealingKeyTests {
    private static let bytes = [UInt8](0..<32)

    @Test func hexadecimalAndBase64AreTheSameKey() async throws {
        let hex = try SealingKey(text: Hex.encode(Self.bytes).uppercased() + "\n")
        let base64 = try SealingKey(text: " " + Base64URL.encode(Self.bytes) + "=")

        #expect(
            try base64.open(hex.seal([1, 2, 3], at: SealingContext("instance")), at: SealingContext("instance"))
                == [1, 2, 3])
    }

    @Test(arguments: ["", "secret", String(repeating: "a", count: 63), String(repeating: "g", count: 64)])
    func otherTextIsRefusedWithoutRepeatingIt(_ text: String) {
        #expect {
            try SealingKey(text: text)
        } throws: { error in
            error as? SealingKeyError == .notAKey && (text.isEmpty || !"\(error)".contains(text))
        }
    }

    @Test func secretDoesNotOpenInAnotherContext() throws {
        let key = try SealingKey(text: Hex.encode(Self.bytes))
        let sealed = try key.seal([7], at: SealingContext("message_keys/1/1"))

        #expect(throws: CryptoError.authenticationFailed) {
            try key.open(sealed, at: SealingContext("message_keys/2/1"))
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try key.open(sealed, at: SealingContext("message_keys/1/2"))
        }
    }

    @Test func missingFileIsMadeOnceForItsOwnerOnly() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"

            let keys = try await withThrowingTaskGroup(of: SealingKey.self) { group in
                for _ in 0..<8 { group.addTask { try SealingKey.load(file: path) } }
                return try await group.reduce(into: [SealingKey]()) { $0.append($1) }
            }

            let sealed = try keys[0].seal([1], at: SealingContext("instance"))
            for key in keys { #expect(try key.open(sealed, at: SealingContext("instance")) == [1]) }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["sealing.key"])
        }
    }

    @Test func fileWithoutAKeyIsRejectedWithAReason() async throws {
        try await withDirectory { directory in
            let path = directory + "/sealing.key"
            #expect(FileManager.default.createFile(atPath: path, contents: Data("hello".utf8)))

            #expect(throws: SealingKeyError.unusableFile(path, "it does not contain 64 hexadecimal digits")) {
                try SealingKey.load(file: path)
            }
        }
    }

    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try await body(directory)
        try FileManager.default.removeItem(atPath: directory)
    }
}
