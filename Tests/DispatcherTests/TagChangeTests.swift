import Campaigns
import JSON
import Postgres
import Store
import Testing

extension DispatcherSuite {
    struct TagChangeTests {
        @Test func workerMakesChangesOfTagsAndEndsThoseThatFail() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...5_000)
                let changes = bench.stores.tagChanges
                let good = try await changes.create(
                    app: bench.app, .everybody, .everybody, own: TagEdit(add: ["vip"]), person: TagEdit())
                let bad = try await changes.create(
                    app: bench.app, .everybody, .everybody, own: TagEdit(add: ["other"]), person: TagEdit())
                try await bench.pool.execute(
                    "UPDATE tag_changes SET resolved_audience = '{\"include\":{\"tag\":7}}' WHERE id = \(bad.id)")
                try await bench.withWorker {
                    try await bench.until {
                        try await changes.list(app: bench.app, state: .running, before: nil, limit: 10).isEmpty
                    }
                }
                let end = try await changes.find(good.id, app: bench.app)
                #expect(end.state == .finished && end.devicesChanged == 5_000)
                let failed = try await changes.find(bad.id, app: bench.app)
                #expect(failed.state == .failed && failed.reason?.description.hasPrefix("A step failed: ") == true)
                #expect(
                    failed.reason?.description.contains("SELECT") == false
                        && failed.reason?.description.contains("decod") == false)
            }
        }
    }
}
