import BelfryCore
import BelfryTesting
import Foundation
import Testing
@preconcurrency import UserNotifications

@testable import BelfryKit

@Suite struct BelfryTests {
    @Test func tokenBeforeTheStartIsSentOnceAndOnlyTheLatest() async throws {
        try await AppFixture.with { fixture in
            fixture.app.register(token: Data(repeating: 1, count: 32))
            fixture.app.register(token: Data(repeating: 2, count: 32))
            fixture.app.start(AppFixture.configuration)
            await fixture.app.flush()
            let sent = fixture.server.requests("PUT devices/")
            #expect(sent.count == 1)
            #expect(sent.first?["token"] == .string(String(repeating: "02", count: 32)))
            #expect(sent.first?["authorization_status"] == .string("not_determined"))
        }
    }

    @Test func answerToTheQuestionForPermissionIsStated() async throws {
        try await AppFixture.with { fixture in
            fixture.app.register(token: Data(repeating: 1, count: 32))
            fixture.app.start(AppFixture.configuration)
            await fixture.app.flush()
            #expect(await fixture.app.requestAuthorization())
            await fixture.app.flush()
            let statuses = fixture.server.requests("PUT devices/").map { $0["authorization_status"] }
            #expect(statuses == [.string("not_determined"), .string("authorized")])
            #expect(
                fixture.server.requests("PUT devices/").last?["settings"]?.object?["lock_screen"] == .string("enabled"))
        }
    }

    @Test func loginsAndLogoutsKeepTheirOrder() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            fixture.app.register(token: Data(repeating: 1, count: 32))
            for name in ["ada", "grace", "edsger"] {
                fixture.app.logIn(name)
                fixture.app.logOut()
            }
            fixture.app.logIn("ada")
            await fixture.app.flush()
            #expect(fixture.server.requests("PUT devices/").last?["user_id"] == .string("ada"))
        }
    }

    @Test func logoutIsStoredWhileAServerDoesNotAnswer() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-slow-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        nonisolated(unsafe) let center = UNUserNotificationCenter(stub: .init())
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        // Until the test ends.
        let silent = RecordingServer { _, _ in
            ask.yield()
            try? await Task.sleep(nanoseconds: 60_000_000_000)
            return .failed("late")
        }
        @Sendable func client(_ transport: any Transport) -> Client {
            Client(
                configuration: AppFixture.configuration, folder: folder, installations: InstallationFile(in: folder),
                transport: transport)
        }
        let app = Belfry(center: { center }) { _ in client(silent) }
        app.start(AppFixture.configuration)
        for await _ in asked { break }
        app.logIn("ada")
        app.logOut()
        await app.changes.settle()
        let next = RecordingServer()
        let later = client(next)
        await later.register(try #require(DeviceToken(Data([1]))))
        await later.flush()
        #expect(next.words.first?.hasSuffix("/logout") == true)
    }

    @Test func wrongTokenIsADiagnostic() async throws {
        try await AppFixture.with { fixture in
            fixture.app.start(AppFixture.configuration)
            fixture.app.register(token: Data())
            var diagnostics = fixture.app.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.code == "token")
        }
    }

    @Test func startReadsAndWritesNothingOnTheCallersThread() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-none-\(UUID().uuidString)")
        let makers = Guarded<[pthread_t]>([])
        nonisolated(unsafe) let center = UNUserNotificationCenter(stub: .init())
        let app = Belfry(center: { center }) { configuration in
            makers.withLock { $0.append(pthread_self()) }
            return Client(
                configuration: configuration, folder: folder, installations: InstallationFile(in: folder),
                transport: RecordingServer())
        }
        // No other work runs on this thread before it returns.
        func startAndSeeTheMakers() -> Bool {
            let caller = pthread_self()
            app.start(AppFixture.configuration)
            return makers.withLock { $0.contains { pthread_equal($0, caller) != 0 } }
        }
        #expect(!startAndSeeTheMakers())
        await app.flush()
        #expect(makers.withLock { $0.count } == 1)
        try? FileManager.default.removeItem(at: folder)
    }
}
