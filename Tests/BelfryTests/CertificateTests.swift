import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import TLS
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct CertificateTests {
        /// A certificate authority that clients trust, and the files of a server.
        private struct Files {
            let authority: Certificates
            let certificate: URL
            let key: URL

            init(in folder: URL) throws {
                authority = try Certificates()
                certificate = folder.appending(path: "certificate.pem")
                key = folder.appending(path: "key.pem")
            }

            var flags: [String] { ["--tls-certificate", certificate.path, "--tls-key", key.path] }

            func issue(_ validity: Certificates.Validity = .valid) throws {
                let (chain, key) = try authority.issue(validity)
                try write(key: key)
                try chain.write(to: certificate, atomically: true, encoding: .utf8)
            }

            /// Only its owner may read it.
            func write(key text: String) throws {
                try text.write(to: key, atomically: false, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
            }
        }

        @Test func aNewCertificateIsUsedWithoutARestartAndABadOneIsNot() async throws {
            try await ScratchFolder.with { folder in
                let files = try Files(in: folder)
                try files.issue()
                try await ServeFixture.with(
                    in: folder, serve: files.flags, environment: ["BELFRY_LOG_LEVEL": "notice"], capturesErrors: true
                ) { serve in
                    try await withTaskExecutorPreference(serve.loop) { try await checkReload(of: serve, files) }
                }
            }
        }

        private func checkReload(of serve: ServeFixture, _ files: Files) async throws {
            let first = try await connect(to: serve, trusting: files.authority)
            let (page, _) = try await first.send(.get, "/")
            #expect(page.status == .ok)

            // A key without its certificate.
            try files.write(key: Certificates().issue().keyPEM)
            let log = try await serve.process.output(until: "TLS certificate not replaced")
            #expect(log.contains("the private key does not match the certificate"))
            await (try await connect(to: serve, trusting: files.authority)).close()

            let other = try Files(in: serve.folder)
            try other.issue()
            _ = try await serve.process.output(until: "TLS certificate replaced")
            await (try await connect(to: serve, trusting: other.authority)).close()
            await #expect(throws: (any Error).self) { try await connect(to: serve, trusting: files.authority) }

            // The old connection goes on.
            #expect(try await first.send(.get, "/").0.status == .ok)
            await first.close()

            let length = try serve.process.outputSoFar().utf8.count
            serve.process.send(SIGHUP)
            _ = try await serve.process.output(until: "TLS certificate replaced", after: length)

            try other.issue(.expired)
            _ = try await serve.process.output(until: "TLS certificate has expired", after: length)
        }

        private func connect(
            to serve: ServeFixture, trusting authority: Certificates
        ) async throws -> HTTPClientConnection {
            let tls = try TLSContext.client(trust: .pem(authority.rootPEM), alpn: ["http/1.1"])
            return try await HTTPClientConnection.connect(
                to: serve.address, host: "localhost", on: serve.loop, tls: tls)
        }

        @Test func aCertificateThatCantBeUsedRefusesTheStart() async throws {
            try await ScratchFolder.with { folder in
                let files = try Files(in: folder)
                #expect(
                    try await refusal(files.flags, folder).contains("can't read the file \(files.certificate.path)"))

                try files.issue()
                try files.write(key: Certificates().issue().keyPEM)
                #expect(
                    try await refusal(files.flags, folder).contains("the private key does not match the certificate"))

                try "nothing".write(to: files.certificate, atomically: true, encoding: .utf8)
                #expect(
                    try await refusal(files.flags, folder).contains("it contains no -----BEGIN CERTIFICATE----- line"))

                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files.key.path)
                #expect(
                    try await refusal(files.flags, folder)
                        .contains("The TLS key \(files.key.path) can be read by other users"))

                let half = try await refusal(["--tls-key", files.key.path], folder)
                #expect(half.contains("--tls-certificate and --tls-key must be given together"))
            }
        }

        private func refusal(_ flags: [String], _ folder: URL) async throws -> String {
            let ending = try await BelfryProcess(["serve", "--port", "0"] + flags, in: folder, capturesErrors: true)
                .ending()
            #expect(ending.status != 0)
            return ending.output
        }
    }
}
