import Campaigns
import EventLoop
import JSON
import Postgres
import Store
import Testing

@testable import API

struct ProgressFeedTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test func zeroRateIsSentOnce() async throws {
        try await APIFixture.run { api in
            let reports = try await api.reports(accepted: [0, 400])
            var feed = ProgressFeed()
            func rate(_ report: RunReport, after milliseconds: Int) -> Int? {
                feed.rate(toSendWith: report, at: start + .milliseconds(milliseconds))
            }

            #expect(rate(reports[0], after: 0) == 0)
            #expect(rate(reports[1], after: 400) == 1_000)
            // It falls, and nobody needs to know by how much; then it is zero, and that is not repeated.
            let later = (2..<20).map { rate(reports[1], after: $0 * 400) }
            #expect(later.compactMap { $0 } == [0])
            #expect(later.firstIndex(of: 0) == 7)
        }
    }

    @Test func changeIsSentImmediately() async throws {
        try await APIFixture.run { api in
            let reports = try await api.reports(accepted: [0, 4, 4])
            let told = RunReport(
                run: reports[2].run, variants: [], reasons: reports[2].reasons, unexpected: 1)
            var feed = ProgressFeed()

            let rates = [reports[0], reports[1], reports[2], told].enumerated().map { second, report in
                feed.rate(toSendWith: report, at: start + .seconds(second))
            }
            #expect(rates == [0, 4, nil, 1])
        }
    }
}

struct PacedCountTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test func costlyCountIsNotMadeAgainBeforeTwentyTimesItsCost() {
        var count = ThrottledCount<Int>()
        let first = count.begin(at: start)
        count.end(7, at: start + .seconds(1))
        let early = count.begin(at: start + .seconds(20))
        let due = count.begin(at: start + .seconds(21))

        #expect(first && !early && due)
        #expect(count.value == 7)
    }

    @Test func twoDoNotCountAtATime() {
        var count = ThrottledCount<Int>()
        let first = count.begin(at: start)
        let second = count.begin(at: start + .seconds(100))

        #expect(first && !second)
        #expect(count.value == nil)
    }

    @Test func failedCountKeepsTheLastValueAndIsThrottled() {
        var count = ThrottledCount<Int>()
        _ = count.begin(at: start)
        count.end(7, at: start)
        let again = count.begin(at: start)
        count.end(nil, at: start + .seconds(10))
        let early = count.begin(at: start + .seconds(200))
        let due = count.begin(at: start + .seconds(210))

        #expect(again && !early && due)
        #expect(count.value == 7)
    }
}

struct RunProgressTests {
    @Test func slotsAreLimitedAndReleased() async throws {
        try await APIFixture.run { api in
            let progress = RunProgress(reports: RunReports(runs: RunStore(pool: api.pool)))
            var slots = (0..<RunProgress.maximumListeners).compactMap {
                Self.slot(progress, of: .key(APIKey.ID(rawValue: Int64($0 / RunProgress.maximumOfCaller))))
            }
            #expect(slots.count == RunProgress.maximumListeners)
            guard case .full = progress.acquireSlot(for: .key(APIKey.ID(rawValue: 99))) else {
                Issue.record("there is room")
                return
            }
            slots.removeLast()
            #expect(Self.slot(progress, of: .key(APIKey.ID(rawValue: 99))) != nil)
        }
    }

    @Test func oneCallerHasNoMoreThanTheirShare() async throws {
        try await APIFixture.run { api in
            let progress = RunProgress(reports: RunReports(runs: RunStore(pool: api.pool)))
            var slots = (0..<50).compactMap { _ in Self.slot(progress, of: .person(User.ID(rawValue: 1))) }
            #expect(slots.count == RunProgress.maximumOfCaller)
            guard case .callerHasTooMany = progress.acquireSlot(for: .person(User.ID(rawValue: 1))) else {
                Issue.record("one person has all streams")
                return
            }
            #expect(Self.slot(progress, of: .key(APIKey.ID(rawValue: 1))) != nil)
            slots.removeLast()
            #expect(Self.slot(progress, of: .person(User.ID(rawValue: 1))) != nil)
        }
    }

    private static func slot(_ progress: RunProgress, of holder: RunProgress.Holder) -> RunProgress.Slot? {
        if case .slot(let slot) = progress.acquireSlot(for: holder) { slot } else { nil }
    }
}

extension APIFixture {
    /// Reports of one run, of which so many of 1,000 recipients are accepted.
    fileprivate func reports(accepted counts: [Int]) async throws -> [RunReport] {
        let app = try await app()
        let campaign = try await campaign(of: app)
        let id: String = try await pool.query(
            """
            WITH run AS (
                INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                    message_key_version, priority, push_type, unknown_policy, audience,
                    message_id_key, default_locale, default_time_zone, attachment_url_key)
                VALUES (\(app)::text::bigint, \(campaign)::text::bigint, now(), 1000, 1000, 86400, 1, 10,
                    'alert', 'resend', '{}', 'i', 'en', 'UTC', 'attachment-url')
                RETURNING id, app_id
            ), content AS (
                INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT app_id, id, 0, 'A', '{}' FROM run
            )
            INSERT INTO batches (run_id, app_id, first_id, last_id, size, pending, environment, outcomes, recipients)
            SELECT id, app_id, 1, 1000, 1000, 1000, 0, decode(repeat('00', 1000), 'hex'),
                (SELECT array_agg(n) FROM generate_series(1, 1000) AS n)
            FROM run
            RETURNING run_id::text
            """)[0][0]
        let run = try #require(Run.ID(id))
        let reports = RunReports(runs: RunStore(pool: pool))
        var made: [RunReport] = []
        for count in counts {
            try await pool.execute("UPDATE batches SET accepted = \(count), pending = size - \(count)")
            made.append(try await reports.report(run, app: try #require(App.ID(app))))
        }
        return made
    }
}
