import Foundation
import Testing

/// Expects that a page of Docs has this text; writes it anew when BELFRY_WRITE_DOCUMENTS is set.
func expectDocument(_ name: String, _ text: String, at location: SourceLocation = #_sourceLocation) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/\(name)").standardized
    if ProcessInfo.processInfo.environment["BELFRY_WRITE_DOCUMENTS"] != nil { try Data(text.utf8).write(to: file) }
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(
        written == text, "BELFRY_WRITE_DOCUMENTS=1 with this test writes Docs/\(name) anew.", sourceLocation: location)
}
