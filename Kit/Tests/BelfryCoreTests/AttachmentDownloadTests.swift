import Foundation
import Testing

@testable import BelfryCore

struct AttachmentDownloadTests {
    private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 100)

    @Test func fileOfTheLimitIsAcceptedAndOneByteMoreIsNot() throws {
        var download = try download("https://a.example/b.jpg")
        #expect(download.answered(length: -1) == .proceed)
        #expect(download.received(jpeg) == .proceed)
        #expect(download.received(Array(repeating: 0, count: 10_000_000 - jpeg.count)) == .proceed)
        #expect(download.ended() == .success(.jpeg))

        #expect(download.received([0]) == .cancel(.tooLarge(limit: 10_000_000)))
        #expect(download.received([0]) == .cancel(.tooLarge(limit: 10_000_000)))
        #expect(download.ended() == .failure(.tooLarge(limit: 10_000_000)))
    }

    @Test func announcedSizeEndsADownloadAsSoonAsItsTypeIsKnown() throws {
        var image = try download("https://a.example/b.mp4")
        #expect(image.answered(length: 10_000_001) == .proceed)
        #expect(image.received(jpeg) == .cancel(.tooLarge(limit: 10_000_000)))

        var movie = try download("https://a.example/b.mp4")
        #expect(movie.answered(length: 50_000_001) == .cancel(.tooLarge(limit: 50_000_000)))
    }

    @Test func otherStatusThan200IsNoFile() throws {
        for status in [204, 206, 304, 404, 500] {
            var download = try download("https://a.example/b.jpg")
            #expect(download.answered(status: status, length: 3) == .cancel(.status(status)))
            #expect(download.ended() == .failure(.status(status)))
        }
    }

    @Test func formatIsKnownFromPiecesOfAnySize() throws {
        var download = try download("https://a.example/b")
        #expect(download.answered(length: -1) == .proceed)
        for byte in jpeg { #expect(download.received([byte]) == .proceed) }
        #expect(download.ended() == .success(.jpeg))

        var small = try self.download("https://a.example/b")
        #expect(small.received(jpeg.prefix(4)) == .proceed)
        #expect(small.ended() == .success(.jpeg))
    }

    @Test func pageOfASignInIsCancelledAtItsFirstBytes() throws {
        var download = try download("https://a.example/b.jpg")
        #expect(download.answered(mimeType: "image/jpeg", length: -1) == .proceed)
        let page = Array("<!DOCTYPE html><title>Sign in</title>".utf8) + Array(repeating: 0x20, count: 64)
        #expect(download.received(page) == .cancel(.unsupported))
    }

    @Test func emptyFileIsNone() throws {
        var download = try download("https://a.example/b.jpg")
        #expect(download.answered(length: 0) == .proceed)
        #expect(download.ended() == .failure(.unsupported))
    }

    @Test func addressAfterRedirectsNamesTheTypeIfItHasOne() throws {
        var moved = try download("https://a.example/b.jpg")
        #expect(moved.answered(length: 4, address: URL(string: "https://a.example/c.gif")) == .proceed)
        #expect(moved.received([1, 2, 3, 4]) == .proceed)
        #expect(moved.ended() == .success(.gif))

        var signed = try download("https://a.example/b.jpg")
        #expect(signed.answered(length: 4, address: URL(string: "https://a.example/c?sig=1")) == .proceed)
        #expect(signed.received([1, 2, 3, 4]) == .proceed)
        #expect(signed.ended() == .success(.jpeg))
    }

    private func download(_ address: String) throws -> AttachmentDownload {
        let push = Push(userInfo: ["attachment-url": address])
        return AttachmentDownload(try #require(push.attachment))
    }
}

extension AttachmentDownload {
    fileprivate mutating func answered(
        status: Int = 200, mimeType: String? = nil, length: Int64, address: URL? = nil
    ) -> Action {
        answered(status: status, mimeType: mimeType, contentLength: length, address: address)
    }
}
