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
