import Campaigns
import Foundation
import Notifications
import Postgres
import Store
import StoreSupport
import Testing

@testable import Application

@Suite struct MediaLibraryTests {
    /// A store, and where it keeps what is on its way in.
    private struct Stand {
        let uploads: MediaLibrary

        var store: MediaStore { uploads.store }
        let folder: URL

        /// The paths in the folder, including the files of kept media.
        var files: [String] {
            get throws {
                // The folders between have two digits.
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.utf8.count > 2 }
            }
        }

        func content(of media: MediaRecord, _ range: Range<Int>) async throws -> [UInt8] {
            if let path = uploads.path(of: media) {
                return Array([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))[range])
            }
            var bytes: [UInt8] = []
            try await store.read(media, range) { bytes += $0 }
            return bytes
        }
    }

    private static func run(
        inDirectory: Bool, _ body: (StoreFixture, Stand) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await StoreFixture.run { fixture in
            let library = MediaLibrary(
                store: fixture.stores.media, directory: inDirectory ? try MediaDirectory(path: folder.path) : nil,
                temporaryDirectory: folder.path)
            try await body(fixture, Stand(uploads: library, folder: folder))
        }
    }

    @Test(arguments: [false, true])
    func fileInRandomPiecesComesBackWhole(_ inDirectory: Bool) async throws {
        try await Self.run(inDirectory: inDirectory) { fixture, stand in
            let app = try await fixture.app()
            for size in [26, 1 << 20, (1 << 20) + 1, 3_300_000] {
                let file = MediaFile.gif(size)

                let (media, isNew) = try await stand.uploads.add(app: app.id, name: "a", from: file.sent())

                #expect(isNew)
                #expect(media.size == size)
                #expect(media.storage == (inDirectory ? .directory : .database))
                #expect(try await stand.content(of: media, 0..<size) == file)
                let range = size / 3..<size / 2 + 1
                #expect(try await stand.content(of: media, range) == Array(file[range]))
                #expect(try await stand.store.find(media.capability) == media)
            }
            #expect(try stand.files.count == (inDirectory ? 4 : 0))
        }
    }

    @Test func nextUploadRestoresALostFile() async throws {
        try await Self.run(inDirectory: true) { fixture, stand in
            let app = try await fixture.app()
            let (media, _) = try await stand.uploads.add(app: app.id, name: "a", from: MediaFile.gif(999).sent())
            let path = try #require(stand.uploads.path(of: media))
            try FileManager.default.removeItem(atPath: path)

            let (again, isNew) = try await stand.uploads.add(app: app.id, name: "b", from: MediaFile.gif(999).sent())

            #expect(again == media && !isNew)
            #expect(try await stand.content(of: media, 0..<999) == MediaFile.gif(999))
        }
    }

    @Test func mediaInUseByATemplateVersionIsNotDeleted() async throws {
        try await Self.run(inDirectory: false) { fixture, stand in
            let app = try await fixture.app()
            let templates = fixture.stores.templates
            let (media, _) = try await stand.uploads.add(app: app.id, name: "a", from: MediaFile.gif(99).sent())
            let content = #"{"payload":{},"media":{"id":"\#(media.id)"}}"#
            let made = try await templates.create(app: app.id, name: "Sale", content: content)
            _ = try await templates.update(made.id, app: app.id, version: 1, name: "Sale", content: #"{"payload":{}}"#)

            await #expect(throws: Refusal.mediaInUse(by: .template("Sale"))) {
                try await stand.uploads.delete(media.id, app: app.id)
            }
            #expect(try await stand.content(of: media, 0..<99) == MediaFile.gif(99))
            for absent in ["999", "x", "99999999999999999999"] {
                let other = #"{"payload":{},"media":{"id":"\#(absent)"}}"#
                do {
                    _ = try await templates.create(app: app.id, name: absent, content: other)
                    // An ID that is no number names no medium, so there is nothing to keep.
                    #expect(absent != "999")
                } catch Refusal.notFound(.media) {
                    #expect(absent == "999")
                }
            }
            // The app goes with all that it has.
            try await fixture.apps.delete(app.id)
            #expect(try await fixture.pool.query("SELECT FROM media").isEmpty)
        }
    }

    /// Of the campaign as it is now, of any of its variants, and of what a run has sent.
    @Test func mediaInUseByACampaignIsNotDeleted() async throws {
        try await Self.run(inDirectory: false) { fixture, stand in
            let app = try await fixture.app()
            func add(_ size: Int) async throws -> MediaRecord {
                try await stand.uploads.add(app: app.id, name: "a", from: MediaFile.gif(size).sent()).media
            }
            func content(_ media: MediaRecord?) -> CampaignContent.Body {
                .content(media.map { #"{"payload":{},"media":{"id":"\#($0.id)"}}"# } ?? #"{"payload":{}}"#)
            }
            let first = try await add(99)
            let second = try await add(98)
            let draft = CampaignContent(name: "Sale", body: content(first))
            let made = try await fixture.campaigns.create(app: app.id, draft)
            _ = try await fixture.campaigns.duplicate(made.id, app: app.id, name: "Copy")
            await #expect(throws: Refusal.mediaInUse(by: .campaign("Copy"))) {
                try await stand.uploads.delete(first.id, app: app.id)
            }
            let copy = try await fixture.campaigns.list(app: app.id, limit: 1)[0]
            try await fixture.campaigns.delete(copy.id, app: app.id)

            var test = draft
            test.variants = [first, second].enumerated().map {
                CampaignVariant(name: CampaignVariant.standardName($0), body: content($1))
            }
            test.weights = [500, 500]
            let changed = try await fixture.campaigns.update(made.id, app: app.id, version: 1, to: test)
            for media in [first, second] {
                await #expect(throws: Refusal.mediaInUse(by: .campaign("Sale"))) {
                    try await stand.uploads.delete(media.id, app: app.id)
                }
            }
            let run = try await fixture.run(of: changed)
            try await fixture.pool.execute(
                """
                UPDATE run_variants SET payload = NULL,
                    content = json_build_object('media', json_build_object('id', \(second.id)::text))
                """)
            var plain = draft
            plain.setBody(content(nil))
            _ = try await fixture.campaigns.update(made.id, app: app.id, version: changed.version, to: plain)
            await #expect(throws: Refusal.mediaInUse(by: .campaign("Sale"))) {
                try await stand.uploads.delete(second.id, app: app.id)
            }
            try await fixture.pool.execute("DELETE FROM runs WHERE id = \(run)")
            try await stand.uploads.delete(second.id, app: app.id)
            await #expect(throws: Refusal.notFound(.media)) {
                try await fixture.campaigns.create(app: app.id, CampaignContent(name: "B", body: content(second)))
            }
        }
    }

    @Test(arguments: [false, true])
    func refusedAndInterruptedUploadsLeaveNothing(_ inDirectory: Bool) async throws {
        try await Self.run(inDirectory: inDirectory) { fixture, stand in
            struct Gone: Error {}
            let app = try await fixture.app()

            await #expect(throws: Refusal.mediaTooLarge(.gif)) {
                try await stand.uploads.add(app: app.id, name: nil, from: MediaFile.gif(12_000_000).sent())
            }
            await #expect(throws: Gone.self) {
                try await stand.uploads.add(
                    app: app.id, name: nil, from: MediaFile.gif(99_000).sent(breakingOff: Gone()))
            }
            await #expect(throws: Refusal.notFound(.app)) {
                try await stand.uploads.add(app: App.ID(rawValue: 999), name: nil, from: MediaFile.gif(99_000).sent())
            }

            let rows = try await fixture.pool.query(
                "SELECT (SELECT count(*) FROM media) + (SELECT count(*) FROM media_pieces)")
            #expect(try rows[0][0, as: Int.self] == 0)
            #expect(try stand.files == [])
        }
    }

    @Test(arguments: [false, true])
    func sameContentIsStoredOnceConcurrently(_ inDirectory: Bool) async throws {
        try await Self.run(inDirectory: inDirectory) { fixture, stand in
            let app = try await fixture.app().id
            let library = stand.uploads
            let file = MediaFile.gif(400_000)

            let added = try await withThrowingTaskGroup(of: (media: MediaRecord, isNew: Bool).self) { group in
                for _ in 0..<6 { group.addTask { try await library.add(app: app, name: nil, from: file.sent()) } }
                var added: [(media: MediaRecord, isNew: Bool)] = []
                for try await one in group { added.append(one) }
                return added
            }

            #expect(Set(added.map { $0.media }).count == 1)
            #expect(added.filter { $0.isNew }.count == 1)
            #expect(try stand.files.count == (inDirectory ? 1 : 0))
        }
    }

    @Test(arguments: [false, true])
    func deletedMediaAreGoneWithTheirContent(_ inDirectory: Bool) async throws {
        try await Self.run(inDirectory: inDirectory) { fixture, stand in
            let app = try await fixture.app()
            let file = MediaFile.gif(50_000)
            let first = try await stand.uploads.add(app: app.id, name: nil, from: file.sent()).media

            try await stand.uploads.delete(first.id, app: app.id)

            #expect(try await stand.store.find(first.capability) == nil)
            #expect(try stand.files == [])
            let again = try await stand.uploads.add(app: app.id, name: nil, from: file.sent())
            #expect(again.isNew)
            #expect(again.media.capability != first.capability)
            #expect(try await stand.content(of: again.media, 0..<file.count) == file)
        }
    }

    @Test func factsAboutAnExternalFileAreStored() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.media
            let url = try MediaURL("https://cdn.example.com/a.png")

            let first = try await store.add(app: app.id, name: "A", externalURL: url, type: .png, size: 7)
            let second = try await store.add(app: app.id, name: "B", externalURL: url, type: nil, size: nil)

            #expect(first.isNew && !second.isNew)
            #expect(second.media == first.media)
        }
    }
}
