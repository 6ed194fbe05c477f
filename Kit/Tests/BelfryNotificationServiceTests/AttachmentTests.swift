import BelfryCore
import Foundation
import Testing
import UserNotifications

@testable import BelfryNotificationService

@Suite(.timeLimit(.minutes(1))) struct AttachmentTests {
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 200))
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 200))

    @Test func fileHasTheExtensionOfItsBytesAndNotOfItsNames() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(
                .init(headers: ["Content-Type": "image/gif"], pieces: [png.prefix(5), png.dropFirst(5)]), name: "a.webp"
            )

            phone.receive(["attachment-url": "\(url)"], try phone.service())

            let shown = try await phone.next()
            #expect(shown.body == "As it came")
            #expect(shown.files.map(\.pathExtension) == ["png"])
            #expect(try Data(contentsOf: try #require(shown.files.first)) == png)
        }
    }

    @Test(arguments: [
        FakeMedia.Answer(pieces: [Data("<!DOCTYPE html><title>Sign in</title>".utf8)]),
        FakeMedia.Answer(headers: ["Content-Type": "image/webp"], pieces: [Data("RIFF\0\0\0\0WEBPVP8 ".utf8)]),
        FakeMedia.Answer(status: 404, pieces: [Data([0xFF, 0xD8, 0xFF, 0xE0])]),
        FakeMedia.Answer(),
    ])
    func fileThatIOSDoesNotShowLeavesTheTextAndNoFile(answer: FakeMedia.Answer) async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(answer)
            let service = try phone.service()

            phone.receive(["attachment-url": "\(url)"], service)

            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            await service.settle()
            #expect(phone.files == [])
            #expect(service.codes == ["attachment-not-shown"])
        }
    }

    @Test(arguments: [
        // Without an announced size, and it never ends by itself.
        FakeMedia.Answer(pieces: Array(repeating: Data(repeating: 7, count: 1_000_000), count: 10), ends: false),
        FakeMedia.Answer(headers: ["Content-Length": "10000001"], ends: false),
        FakeMedia.Answer(headers: ["Content-Length": "50000001"], ends: false),
    ])
    func tooLargeFileIsCancelledAndRemoved(answer: FakeMedia.Answer) async throws {
        try await Phone.with { phone in
            var answer = answer
            if answer.headers["Content-Length"] != "50000001" { answer.pieces.insert(jpeg, at: 0) }
            let (url, signals) = try FakeMedia.serve(answer)
            let service = try phone.service()

            phone.receive(["attachment-url": "\(url)"], service)

            #expect(try await phone.next().files == [])
            await signals.wait(for: .stopped)
            await service.settle()
            #expect(phone.files == [])
            #expect(service.reported.withLock { $0.map(\.kind) } == [.attachment])
        }
    }

    @Test func timeThatEndsDuringADownloadShowsTheTextOnceAndRemovesTheFile() async throws {
        try await Phone.with { phone in
            let (url, signals) = try FakeMedia.serve(.init(pieces: [jpeg], ends: false))
            let service = try phone.service()

            phone.receive(["attachment-url": "\(url)"], service)
            await signals.wait(for: .started)
            service.serviceExtensionTimeWillExpire()
            service.serviceExtensionTimeWillExpire()

            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            await service.settle()
            #expect(phone.showings == 1)
            #expect(phone.files == [])
        }
    }

    @Test func leftoversOfEndedProcessesAreSweptByTheNextPushWithAFile() async throws {
        try await Phone.with { phone in
            let leftover = try phone.attachments.place(at: Date(timeIntervalSinceNow: -2 * 24 * 60 * 60)).partial
            try jpeg.write(to: leftover)
            let (url, _) = try FakeMedia.serve(.init(pieces: [jpeg]))

            phone.receive(["attachment-url": "\(url)"], try phone.service())

            let shown = try await phone.next()
            #expect(phone.files == shown.files.map(\.lastPathComponent))
        }
    }

    @Test func twoPushesWithTheSameAddressHaveFilesOfTheirOwn() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(.init(pieces: [jpeg]))

            phone.receive(["attachment-url": "\(url)"], try phone.service())
            let first = try await phone.next()
            phone.receive(["attachment-url": "\(url)"], try phone.service())
            let second = try await phone.next()

            #expect(first.files.count == 1)
            #expect(first.files != second.files)
        }
    }
}
