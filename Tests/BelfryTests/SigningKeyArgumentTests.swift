import Crypto
import Foundation
import Notifications
import TestSupport
import Testing

@testable import Belfry

@Suite struct SigningKeyArgumentTests {
    @Test func pastedKeyIsReadFromAFileAndItsIDFromTheName() async throws {
        try await ScratchFolder.with { folder in
            let key = try SigningKey.generate()
            let file = folder.appending(path: "AuthKey_ABC123DEFG.p8")
            let text = key.pem.replacing("\n", with: "\\n")
            try Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).write(to: file)

            #expect(try signingKey(file.path).publicKey == key.publicKey)
            #expect(try keyIdentifier(nil, p8: file.path).text == "ABC123DEFG")
            #expect(try keyIdentifier(" xyz123defg", p8: file.path).text == "XYZ123DEFG")
        }
    }

    @Test func otherFilesAreNamedAsTheAPIDoes() async throws {
        try await ScratchFolder.with { folder in
            let file = folder.appending(path: "download.p8")
            try Data("<html>Sign in</html>".utf8).write(to: file)

            let words =
                "--p8: must be the .p8 file from Apple, AuthKey_….p8. This is not a usable private key: the file is a web "
            #expect {
                _ = try signingKey(file.path)
            } throws: {
                "\($0)".contains(words + "page, not the download")
            }
            #expect {
                _ = try keyIdentifier(nil, p8: file.path)
            } throws: {
                "\($0)".contains("--key-id is required")
            }
        }
    }
}
