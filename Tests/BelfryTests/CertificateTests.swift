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
                try key.write(to: self.key, atomically: true, encoding: .utf8)
                try chain.write(to: certificate, atomically: true, encoding: .utf8)
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
            try Certificates().issue().keyPEM.write(to: files.key, atomically: true, encoding: .utf8)
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
                try Certificates().issue().keyPEM.write(to: files.key, atomically: true, encoding: .utf8)
                #expect(
                    try await refusal(files.flags, folder).contains("the private key does not match the certificate"))

                try "nothing".write(to: files.certificate, atomically: true, encoding: .utf8)
                #expect(
                    try await refusal(files.flags, folder).contains("it contains no -----BEGIN CERTIFICATE----- line"))

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
