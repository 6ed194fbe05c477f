import Foundation
import Testing

/// Rules that no compiler here checks: stubs flag neither API that extensions must not use, nor names that collide in
/// Objective-C.
struct SourceScanTests {
    struct Line: CustomStringConvertible {
        let target: String
        let file: String
        let text: String

        var description: String { "\(file): \(text)" }
    }

    /// Code of extensions, and what they link.
    private static let extensionTargets = ["BelfryCore", "BelfryNotificationService", "BelfryNotificationContent"]

    @Test func nothingReplacesMethodsOfOthers() throws {
        let symbols = [
            "method_exchangeImplementations", "method_setImplementation", "class_replaceMethod", "class_addMethod",
            "object_setClass", "objc_setAssociatedObject", "@_dynamicReplacement", "NSClassFromString",
            "imp_implementation",
        ]
        #expect(try code().filter { line in symbols.contains { line.text.contains($0) } }.isEmpty)
    }

    @Test func nothingTrapsOnPurpose() throws {
        let symbols = [
            "try!", " as! ", "fatalError(", "preconditionFailure(", "precondition(", "unowned ", "nonisolated(unsafe)",
        ]
        #expect(try code().filter { line in symbols.contains { line.text.contains($0) } }.isEmpty)
    }

    /// The app's main thread records events. How long a disk takes to flush depends on the disk, so no test measures it.
    @Test func nothingWaitsUntilTheDiskHasFlushed() throws {
        let symbols = ["fsync(", "F_FULLFSYNC", "F_BARRIERFSYNC", ".synchronize("]
        #expect(try code().filter { line in symbols.contains { line.text.contains($0) } }.isEmpty)
    }

    /// A `!` after a name, a bracket or a parenthesis; `!=` and `!name` are others.
    @Test func nothingIsUnwrappedByForce() throws {
        let forced = try NSRegularExpression(pattern: #"[\w\)\]]!(?!=)"#)
        let found = try code().filter { line in
            let text = line.text.replacingOccurrences(of: #""(\\.|[^"\\])*""#, with: "", options: .regularExpression)
            return forced.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
        #expect(found.isEmpty)
    }

    @Test func extensionsUseNoInterfaceThatAppleKeepsFromThem() throws {
        let symbols = ["UIApplication", "UIScreen.main", "beginBackgroundTask", "registerForRemoteNotifications"]
        let found = try code().filter { line in
            Self.extensionTargets.contains(line.target) && symbols.contains { line.text.contains($0) }
        }
        #expect(found.isEmpty)
    }

    @Test func everyNameInObjectiveCHasThePrefix() throws {
        let found = try code().filter { line in
            line.text.contains("@objc class") || line.text.contains("@objcMembers")
                || (line.text.contains("@objc(") && line.text.contains(#/@objc\((?!BLF)[A-Z]/#))
        }
        #expect(found.isEmpty)
    }

    @Test func everyUncheckedSendableHasItsReason() throws {
        let files = try sources().filter { try contents($0).contains("@unchecked Sendable") }
        #expect(!files.isEmpty)
        for file in files {
            let text = try contents(file)
            let uses = text.components(separatedBy: "@unchecked Sendable").count
            let reasons = text.components(separatedBy: "/// Unchecked, because ").count
            #expect(reasons >= uses, "\(file.lastPathComponent)")
        }
    }

    @Test func coreImportsFoundationAndZlibAlone() throws {
        let imports = try code().filter { $0.target == "BelfryCore" && $0.text.contains(#/^(@?\w+ )*import /#) }
        let modules = Set(imports.map { $0.text.split(separator: " ").last.map(String.init) ?? "" })
        #expect(modules.isSubset(of: ["Dispatch", "Foundation", "FoundationNetworking", "zlib"]))
    }

    private func sources() throws -> [URL] {
        let kit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardized
        let files = try #require(
            FileManager.default.enumerator(at: kit.appendingPathComponent("Sources"), includingPropertiesForKeys: nil))
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    private func contents(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The lines without comments.
    private func code() throws -> [Line] {
        try sources().flatMap { file in
            let parts = file.pathComponents
            let target = parts.firstIndex(of: "Sources").map { parts[$0 + 1] } ?? ""
            return try contents(file).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.hasPrefix("//") }
                .map { Line(target: target, file: "\(target)/\(file.lastPathComponent)", text: $0) }
        }
    }
}
