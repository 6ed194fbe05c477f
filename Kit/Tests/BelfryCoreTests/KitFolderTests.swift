import Foundation
import Testing

@testable import BelfryCore

struct KitFolderTests {
    private let own = URL(fileURLWithPath: "/own", isDirectory: true)
    private let shared = URL(fileURLWithPath: "/group", isDirectory: true)

    @Test func appGroupHoldsTheFilesWithoutAWord() {
        let folder = KitFolder(appGroup: "group.a", container: { $0 == "group.a" ? shared : nil }, own: own)
        #expect(folder.url.path == "/group/Library/Application Support/Belfry")
        #expect(folder.diagnostic == nil)
    }

    @Test func missingGroupIsOneDiagnosticAndTheOwnFolder() {
        let none = KitFolder(appGroup: nil, container: { _ in shared }, own: own)
        let refused = KitFolder(appGroup: "group.a", container: { _ in nil }, own: own)
        #expect(none.url.path == "/own/Library/Application Support/Belfry")
        #expect(refused.url == none.url)
        #expect(none.diagnostic?.code == "no-app-group")
        #expect(refused.diagnostic?.code == "app-group-missing")
    }

    /// An update of the app adds the group.
    @Test func filesOfBeforeMoveIntoTheGroupAndReplaceNothing() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-move-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (old, new) = (root.appendingPathComponent("old"), root.appendingPathComponent("new"))
        func write(_ text: String, _ folder: URL, _ path: String) throws {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try write("login", old, "registration.json")
        try write("event", old, "events/app/1.event")
        try write("old", old, "plans.json")
        try write("new", new, "plans.json")
        try write("extension", new, "events/service/2.event")

        KitFolder.move(old, into: new)

        func text(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: new.appendingPathComponent(path)), as: UTF8.self)
        }
        #expect(try text("registration.json") == "login" && text("events/app/1.event") == "event")
        #expect(try text("plans.json") == "new" && text("events/service/2.event") == "extension")
        // Without older files, nothing is made.
        KitFolder.move(root.appendingPathComponent("none"), into: root.appendingPathComponent("other"))
        #expect(!FileManager.default.fileExists(atPath: root.appendingPathComponent("other").path))
    }

    @Test func infoPlistGivesAConfigurationAndAnIncompleteOneNone() throws {
        let members = ["API": "https://push.example.com/v1/apps/1", "PublishableKey": "bfp_a", "AppGroup": "group.a"]
        let configuration = try #require(BelfryConfiguration(infoPlist: ["Belfry": members]))
        #expect(configuration.api.absoluteString == members["API"])
        #expect(configuration.publishableKey == "bfp_a")
        #expect(configuration.appGroup == "group.a")
        #expect(configuration.payloadKeys == nil)

        for missing in ["API", "PublishableKey"] {
            #expect(BelfryConfiguration(infoPlist: ["Belfry": members.filter { $0.key != missing }]) == nil)
        }
        #expect(BelfryConfiguration(infoPlist: ["Belfry": 1]) == nil)
    }
}
