import Foundation
import Testing

@testable import BelfryCore

struct AttachmentFolderTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let day = AttachmentFolder.lifetime

    @Test func twoPushesNeverShareAFile() throws {
        try withFolder { folder in
            let first = try folder.place(at: now)
            let second = try folder.place(at: now)
            #expect(first.partial != second.partial)
            #expect(first.finished(.jpeg).pathExtension == "jpg")
            #expect(first.finished(.jpeg) != second.finished(.jpeg))
        }
    }

    @Test func leftoversOlderThanADayAreRemovedAndYoungerOnesStay() throws {
        try withFolder { folder in
            let old = try make(folder.place(at: now - day - 1).partial)
            let finished = try make(folder.place(at: now - day - 1).finished(.mp4))
            let future = try make(folder.place(at: now + day + 1).partial)
            let young = try make(folder.place(at: now - day).partial)
            let foreign = try make(folder.url.appendingPathComponent("notes.txt"))

            #expect(try folder.sweep(at: now) == 3)

            let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(Set(left) == Set([young, foreign].map(\.lastPathComponent)))
            for removed in [old, finished, future] { #expect(!left.contains(removed.lastPathComponent)) }
        }
    }

    @Test func oneSweepRemovesABoundedNumberAndTheNextGoesOn() throws {
        try withFolder { folder in
            for _ in 0..<(AttachmentFolder.maximumRemoved + 5) { try make(folder.place(at: now - 2 * day).partial) }
            #expect(try folder.sweep(at: now) == AttachmentFolder.maximumRemoved)
            #expect(try folder.sweep(at: now) == 5)
            #expect(try folder.sweep(at: now) == 0)
        }
    }

    @Test func missingFolderHasNoLeftovers() throws {
        let folder = AttachmentFolder(url: FileManager.default.temporaryDirectory.appendingPathComponent("none"))
        #expect(try folder.sweep(at: now) == 0)
    }

    @discardableResult
    private func make(_ url: URL) throws -> URL {
        try Data([1]).write(to: url)
        return url
    }

    private func withFolder(_ body: (AttachmentFolder) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("attachments-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(AttachmentFolder(url: url))
    }
}
