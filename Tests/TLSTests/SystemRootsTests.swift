import Foundation
import TestSupport
import Testing

@testable import TLS

struct SystemRootsTests {
    @Test func aStoreWithoutCertificatesIsAnErrorAndNotKept() throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cert.pem").path
        let roots = folder.appending(path: "certs").path
        let error = #expect(throws: TLSError.self) { try RootStore(file: file, folders: [roots]) }
        #expect(error?.description.contains("no trusted root certificates in \(file) or \(roots)") == true)

        try Certificates().rootPEM.write(toFile: file, atomically: true, encoding: .utf8)

        _ = try RootStore(file: file, folders: [roots])
    }

    @Test func theFilesOfAFolderAreReadIfThereIsNoBundle() throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Certificates().rootPEM.write(
            to: folder.appending(path: "root.crt"), atomically: true, encoding: .utf8)
        try "no certificate".write(to: folder.appending(path: "README"), atomically: true, encoding: .utf8)
        _ = try RootStore(file: "/nonexistent", folders: ["/nonexistent", folder.path])
    }

    private func makeFolder() throws -> URL {
        let folder = URL(filePath: "\(ScratchSpace.path)/belfry-roots-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
