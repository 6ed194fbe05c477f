import Foundation
import Testing

/// The privacy manifests against the sources. Apple's page "Describing use of required reason API" lists the symbols.
@Suite struct PrivacyManifestTests {
    private static let symbols = [
        "FileTimestamp": [
            "creationDate", "modificationDate", "ModificationDate", "ModificationDateKey", "creationDateKey",
            "getattrlist", "fstat(", "lstat(", " stat(",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": ["volumeAvailableCapacity", "systemFreeSize", "systemSize", "statfs(", "statvfs("],
        "ActiveKeyboards": ["activeInputModes"],
        "UserDefaults": ["UserDefaults"],
    ]

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardized

    private static func used(in target: URL) throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(at: target, includingPropertiesForKeys: nil))
        var used: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            for (category, symbols) in symbols
            where lines.contains(where: { line in symbols.contains { line.contains($0) } }) {
                used.insert("NSPrivacyAccessedAPICategory\(category)")
            }
        }
        return used
    }

    @Test func eachTargetStatesTheInterfacesThatItUses() throws {
        let targets = try FileManager.default.contentsOfDirectory(at: Self.sources, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("Belfry") && $0.lastPathComponent != "BelfryTesting" }
        #expect(targets.count >= 2)
        for target in targets {
            let manifest = target.appendingPathComponent("PrivacyInfo.xcprivacy")
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: manifest), format: nil)
            let members = try #require(list as? [String: Any])
            #expect(members["NSPrivacyTracking"] as? Bool == false)
            let stated = try #require(members["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
            #expect(
                Set(stated.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }) == (try Self.used(in: target)),
                "\(target.lastPathComponent)")
            #expect(stated.allSatisfy { ($0["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false })
        }
    }
}
