import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing found to be interesting, and those that once failed: each must keep its target's rule.
struct CorpusTests {
    /// `Seeds` are written by people, `Corpus` is what `make fuzz-corpus` keeps.
    private static let folders = ["Seeds", "Corpus"]
    /// Of all files in the repository, in bytes.
    private static let maximumSize = 1 << 20

    private static func text(_ folder: String, _ target: FuzzTarget) throws -> String {
        let file = try #require(
            Bundle.module.url(forResource: target.rawValue, withExtension: "txt", subdirectory: folder))
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: FuzzTarget.allCases, folders)
    func storedInputKeepsTheRuleOfItsTarget(_ target: FuzzTarget, folder: String) throws {
        let inputs = try CorpusFile.read(try Self.text(folder, target))
        try #require(!inputs.isEmpty)
        for input in inputs {
            #expect(throws: Never.self, "\(String(decoding: input, as: UTF8.self).debugDescription)") {
                try target.check(input)
            }
        }
    }

    @Test func corpusIsSmall() throws {
        let size = try FuzzTarget.allCases.reduce(0) { sum, target in
            try Self.folders.reduce(sum) { try $0 + Self.text($1, target).utf8.count }
        }
        #expect(size <= Self.maximumSize)
    }

    @Test func fileOfInputsIsReadAsItWasWritten() throws {
        let inputs =
            [[0x23], [0x0A, 0x0D, 0x09, 0x5C, 0x78], [0x00, 0xFF, 0x7F, 0x20], Array("# \\n".utf8)] as [[UInt8]]
        let read = try CorpusFile.read("# A comment\n\n" + CorpusFile.written(inputs))
        #expect(Set(read) == Set(inputs))
        #expect(throws: CorpusFile.InvalidLine.self) { try CorpusFile.read("a\\x4") }
        #expect(throws: CorpusFile.InvalidLine.self) { try CorpusFile.read("é") }
    }
}
