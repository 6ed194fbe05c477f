import EventLoop
import Postgres
import TestSupport
import Testing

@Suite struct PostgresListenerTests {
    @Test func notificationsArriveOverAReconnect() async throws {
        try await withConnection { connection, configuration in
            var own = configuration
            own.applicationName = "listener"
            let listener = PostgresListener(own, channels: ["jobs", "od\"d"], on: connection.loop, logger: quiet)
            var events = listener.makeAsyncIterator()

            #expect(await events.next() == .listening)
            try await connection.execute("SELECT pg_notify('jobs', 'a'), pg_notify('od\"d', 'b')")
            guard case .notification(let first) = await events.next(),
                case .notification(let second) = await events.next()
            else { throw Missing() }
            #expect((first.channel, first.payload) == ("jobs", "a"))
            #expect((second.channel, second.payload) == ("od\"d", "b"))

            try await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener'")
            #expect(await events.next() == .listening)
            try await connection.execute("SELECT pg_notify('jobs', 'c')")
            guard case .notification(let third) = await events.next() else { throw Missing() }
            #expect(third.payload == "c")
        }
    }

    @Test func cancellationEndsTheSequence() async throws {
        try await withConnection { connection, configuration in
            let listener = PostgresListener(configuration, channels: ["jobs"], on: connection.loop, logger: quiet)
            let (started, start) = AsyncStream<Void>.makeStream()
            let count = await withTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    for await _ in listener {
                        count += 1
                        start.yield()
                    }
                    return count
                }
                for await _ in started { break }
                group.cancelAll()
                return await group.next() ?? -1
            }
            #expect(count == 1)
        }
    }

    struct Missing: Error {}
}
