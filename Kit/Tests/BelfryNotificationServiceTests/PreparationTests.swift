import BelfryCore
import Foundation
import Testing
import UserNotifications

@testable import BelfryNotificationService

@Suite(.timeLimit(.minutes(1))) struct PreparationTests {
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 200))

    @Test func changesOfTheAppAndTheFileAreShownTogether() async throws {
        try await Phone.with { phone in
            let (url, _) = try FakeMedia.serve(.init(pieces: [jpeg]))
            let service = try phone.service()
            service.preparing = { $0.body = "Decrypted" }

            phone.receive(["attachment-url": "\(url)"], service)

            let shown = try await phone.next()
            #expect(shown.body == "Decrypted")
            #expect(shown.files.count == 1)
        }
    }

    @Test func timeThatEndsDuringThePreparationShowsThePushAsItCameOnce() async throws {
        try await Phone.with { phone in
            let service = try phone.service()
            let (began, begin) = AsyncStream.makeStream(of: Void.self)
            let (held, release) = AsyncStream.makeStream(of: Void.self)
            service.preparing = { content in
                content.body = "Half done"
                begin.yield()
                // An uncancellable wait: the app's code need not listen.
                await Task.detached { for await _ in held { return } }.value
            }

            phone.receive(["i": "m"], service)
            for await _ in began { break }
            service.serviceExtensionTimeWillExpire()
            #expect(try await phone.next().body == "As it came")
            release.yield()
            await service.settle()

            #expect(phone.showings == 1)
        }
    }

    @Test func fileThatIsThereWhenTheTimeEndsIsShown() async throws {
        try await Phone.with { phone in
            let (url, signals) = try FakeMedia.serve(.init(pieces: [jpeg]))
            let service = try phone.service()
            let (never, hold) = AsyncStream.makeStream(of: Void.self)
            service.preparing = { _ in for await _ in never {} }

            phone.receive(["attachment-url": "\(url)"], service)
            await signals.wait(for: .started)
            // The acknowledgement, the preparation and the download: the last is over when the file is attached.
            await service.delivery.withLock { $0 }?.work.last?.value
            service.serviceExtensionTimeWillExpire()

            #expect(try await phone.next().files.count == 1)
            hold.finish()
            await service.settle()
            #expect(phone.showings == 1)
        }
    }
}
