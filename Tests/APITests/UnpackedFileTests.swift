import HTTPTypes
import JSON
import Testing

@testable import API
@testable import HTTPServer

/// Files that are compressed with gzip, which their first bytes tell.
struct UnpackedFileTests {
    private static let lines = (0..<3_000).map { "i\($0),ada-\($0 % 7)\n" }
    private static let file = Array(("installation,user_id\n" + lines.joined()).utf8)

    @Test func compressedFileIsImported() async throws {
        try await DeviceAPIFixture.run { phone in
            let packed = try Gzip.compress(Array("installation,token,environment\ni1,0a01,production\n".utf8))
            for type in ["application/gzip", "text/csv", "application/octet-stream"] {
                // Several members are one file.
                let bytes = packed + (try Gzip.compress(Array("i2,0a02,production\n".utf8)))
                let answer = try await phone.sendBytes(.post, "/devices/import", bytes, type: type)
                let report = try JSON(parsing: answer.bytes)
                #expect(report["stored"] == 2 && report["file"]?["compression"] == "gzip")
            }
            let damaged = try await phone.sendBytes(
                .post, "/devices/import", Array(packed.dropLast(9)), type: "application/gzip")
            #expect(damaged.status == 400)
            #expect(try JSON(parsing: damaged.bytes)["code"] == "damaged-file")
            let twice = try await phone.sendBytes(
                .post, "/devices/import", try Gzip.compress(packed), type: "application/gzip")
            #expect(try JSON(parsing: twice.bytes)["code"] == "not-a-text-file")
        }
    }

    /// The preview of a page has the first bytes of a file, in the middle of the compressed data.
    @Test func beginningOfACompressedFileIsShown() async throws {
        let packed = try Gzip.compress(Self.file)
        let half = Array(packed.prefix(packed.count / 2))
        let part = try await UnpackedStart(
            of: RequestBody(.bytes(half), declaredLength: nil), limit: 1 << 20, isPart: true)
        #expect(part.isCompressed && !part.isWhole && part.read == half.count)
        #expect(Self.file.starts(with: part.bytes) && part.bytes.count > 1_000)
        let all = try await UnpackedStart(
            of: RequestBody(.bytes(packed), declaredLength: nil), limit: 1 << 20, isPart: false)
        #expect(all.isWhole && all.bytes == Self.file && all.read == packed.count)
        let cut = try await UnpackedStart(
            of: RequestBody(.bytes(packed), declaredLength: nil), limit: 5_000, isPart: false)
        #expect(!cut.isWhole && cut.bytes.count == 5_000)
        for tiny in [[], [0x1F], Array("a".utf8)] as [[UInt8]] {
            let plain = try await UnpackedStart(
                of: RequestBody(.bytes(tiny), declaredLength: nil), limit: 9, isPart: false)
            #expect(plain.bytes == tiny && plain.isWhole && !plain.isCompressed)
        }
    }

    @Test func bombIsRefusedBeforeItHasExpanded() async throws {
        let bomb = try Gzip.compress([UInt8](repeating: 0x0A, count: 2 * UnpackedFile.unmeasuredSize))
        var source = UnpackedFile(body: RequestBody(.bytes(bomb), declaredLength: nil)).makeAsyncIterator()
        var count = 0
        let error = await #expect(throws: APIError.self) {
            while let piece = try await source.next() { count += piece.count }
        }
        #expect(error?.code == "file-too-large" && error?.status == .contentTooLarge)
        #expect(count <= UnpackedFile.unmeasuredSize)
        // A table of equal lines is no bomb.
        let table = try Gzip.compress(Array(String(repeating: "i1,ada,production\n", count: 200_000).utf8))
        var other = UnpackedFile(body: RequestBody(.bytes(table), declaredLength: nil)).makeAsyncIterator()
        while try await other.next() != nil {}
    }
}
