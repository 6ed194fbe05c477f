import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct DeviceHistoryStoreTests {
    /// Pages of runs and pushes in turn, over several ranges of message numbers.
    @Test(arguments: [1, 2, 3, 7, 50])
    func pagesHaveEachPushOnceWithTheNewestFirst(_ limit: Int) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let pushes = fixture.stores.pushes(owner: ProcessID())
            for week in 1...4 {
                for _ in 0..<week { try await fixture.push(to: [2, 1], app: app.id, pushes) }
                _ = try await fixture.batch(
                    of: fixture.run(of: campaign), app: app.id, first: 1, outcomes: [1, 1])
                try await fixture.push(to: [2, 1], app: app.id, pushes)
                try await fixture.pool.execute("UPDATE runs SET state = 'finished', finished_at = now()")
                try await fixture.openNextRange()
            }
            let expected = try await fixture.pool.query("SELECT id FROM batches ORDER BY id DESC").map {
                try $0[0, as: Int64.self]
            }
            #expect(expected.count == 18)

            let found = try await pages { position in
                try await fixture.stores.deviceHistory.deliveries(
                    of: Device.ID(rawValue: 1), app: app.id, before: position, limit: limit)
            }.flatMap(\.self)
            #expect(found.map(\.batch) == expected)
            #expect(found.count { $0.run != nil } == 4)
        }
    }

    /// A page that read all partitions would lock them all, and wait for one that is being dropped.
    @Test func newestPageDoesNotWaitForAnOldPartition() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            for _ in 0..<4 {
                try await fixture.push(to: [1], app: app.id, fixture.stores.pushes(owner: ProcessID()))
                _ = try await fixture.batch(of: fixture.run(of: campaign), app: app.id, first: 1, outcomes: [1])
                try await fixture.openNextRange()
            }
            let found = try await fixture.pool.transaction { connection in
                for table in MessageRangePart.allCases {
                    try await connection.execute("LOCK TABLE \(table.partition(1))")
                }
                return try await fixture.stores.deviceHistory.deliveries(
                    of: Device.ID(rawValue: 1), app: app.id, before: nil, limit: 2)
            }
            #expect(found.deliveries.map { $0.run == nil } == [false, true])
        }
    }

    /// A list that can't have the device says what was read. A retirement may commit late, so the next hour's lists are read.
    @Test func listsOfRunsLongAfterTheRetirementAreNotRead() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let registered = try await fixture.stores.registrations.store([
                Registration.make("phone", token: "01", app: app.id)
            ])
            let device = try #require(registered[0].id)
            let campaign = try await fixture.campaign(of: app, state: .sending)
            func send() async throws -> Run.ID {
                let run = try await fixture.run(of: campaign)
                try await fixture.batch(of: run, app: app.id, first: device.rawValue, outcomes: [1])
                try await fixture.pool.execute("UPDATE runs SET state = 'finished', finished_at = now()")
                return run
            }
            func runs() async throws -> [Run.ID?] {
                try await fixture.stores.deviceHistory.deliveries(of: device, app: app.id, before: nil, limit: 9)
                    .deliveries.map(\.run)
            }
            func retire(_ ago: String) async throws {
                try await fixture.pool.execute(
                    """
                    UPDATE devices SET token = NULL, retired_reason = 1,
                        retired_at = now() - interval '\(unescaped: ago)'
                    """)
            }
            let before = try await send()
            try await fixture.pool.execute("UPDATE runs SET started_at = now() - interval '1 day'")
            let after = try await send()

            try await retire("10 minutes")
            #expect(try await runs() == [after, before])
            try await retire("2 hours")
            #expect(try await runs() == [before])
            try await fixture.pool.execute(
                "UPDATE devices SET token = '\\x01', retired_at = NULL, retired_reason = NULL")
            #expect(try await runs() == [after, before])
        }
    }

    /// The device could be in the lists of two more recipients.
    @Test func pagesEndAfterABoundedNumberOfListsAndGoOn() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let users = ["other", "ada", "ada", "other"]
            let devices = try await fixture.stores.registrations.store(
                users.enumerated().map { index, user in
                    try Registration.make("phone-\(index)", token: "0\(index)", app: app.id) {
                        $0.userID = .value(user)
                    }
                }
            ).map { try #require($0.id) }
            try #require(zip(devices, devices.dropFirst()).allSatisfy { $0.rawValue < $1.rawValue })
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let pushes = fixture.stores.pushes(owner: ProcessID())
            func sendToOthers(_ count: Int) async throws {
                let others = [devices[0], devices[3]].map(\.rawValue)
                try await fixture.pool.execute(
                    """
                    INSERT INTO batches (run_id, app_id, first_id, last_id, size, pending, accepted, environment, outcomes,
                        recipients, state)
                    SELECT \(run), \(app.id), \(others[0]), \(others[1]), 2, 0, 2, 0, '\\x0101', \(others), 'done'
                    FROM generate_series(1, \(count))
                    """)
            }
            try await fixture.batch(of: run, app: app.id, first: devices[0].rawValue, outcomes: [1, 1, 1, 1])
            try await sendToOthers(70)
            try await fixture.push(to: devices[1...2].map(\.rawValue), app: app.id, pushes)
            try await sendToOthers(80)
            try await fixture.push(to: [devices[1].rawValue], app: app.id, pushes)

            let history = fixture.stores.deviceHistory
            #expect(DeviceHistoryStore.listsPerPage == 64)
            // 64 lists; 16, then 48 before the push; the remaining 22, and the run.
            let ofFirst = try await pages { position in
                try await history.deliveries(of: devices[1], app: app.id, before: position, limit: 5)
            }
            #expect(ofFirst.map { $0.map(\.run) } == [[nil], [nil], [run]])
            let ofSecond = try await pages { position in
                try await history.deliveries(of: devices[2], app: app.id, before: position, limit: 5)
            }
            #expect(ofSecond.map { $0.map(\.run) } == [[], [nil], [run]])
            // A person's devices share the bound: 32 lists of two devices on each page.
            let ofPerson = try await pages { position in
                try await history.deliveries(of: "ada", app: app.id, before: position, limit: 5)
            }
            #expect(ofPerson.map(\.count) == [1, 0, 2, 0, 2])
            #expect(
                ofPerson.flatMap(\.self).map(\.device) == [devices[1], devices[2], devices[1], devices[2], devices[1]])
        }
    }

    @Test(arguments: [5, 64, 100])
    func pageReadsABoundedNumberOfPushes(_ limit: Int) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let pushes = fixture.stores.pushes(owner: ProcessID())
            let numbers = try await pushes.messageNumbers(210)
            for number in numbers { try await fixture.push(to: [1], app: app.id, pushes, number: number) }
            let found = try await fixture.pool.transaction { connection in
                try await DeviceHistoryStore.pushes(
                    to: "SELECT 1::bigint AS id", app.id, before: .newest, since: nil, limit: limit, on: connection)
            }
            #expect(found.places.map(\.number) == numbers.suffix(limit).reversed())
            #expect(found.end?.place.number == numbers[210 - limit])

            let all = try await pages { position in
                try await fixture.stores.deviceHistory.deliveries(
                    of: Device.ID(rawValue: 1), app: app.id, before: position, limit: limit)
            }
            #expect(all.flatMap(\.self).map(\.messageNumber) == numbers.reversed())
            #expect(all.dropLast().allSatisfy { $0.count == limit })
        }
    }

    /// Pushes of the past belong to whoever had the device then: pages without any go on.
    @Test func manyPushesToAnEarlierUserAreSkippedPageByPage() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let pushes = fixture.stores.pushes(owner: ProcessID())
            func register(_ user: String) async throws -> Device.ID {
                let answers = try await fixture.stores.registrations.store([
                    Registration.make("phone", token: "01", app: app.id) { $0.userID = .value(user) }
                ])
                return try #require(answers[0].id)
            }
            let device = try await register("ada")
            try await fixture.push(to: [device.rawValue], app: app.id, pushes)
            _ = try await register("bob")
            for _ in 0..<70 { try await fixture.push(to: [device.rawValue], app: app.id, pushes) }

            let ofAda = try await pages { position in
                try await fixture.stores.deviceHistory.deliveries(
                    of: "ada", app: app.id, before: position, limit: 5)
            }
            #expect(ofAda.map(\.count) == [0, 1])
            let ofBob = try await pages { position in
                try await fixture.stores.deviceHistory.deliveries(
                    of: "bob", app: app.id, before: position, limit: 50)
            }
            #expect(ofBob.map(\.count) == [50, 20])
        }
    }

    /// A process may use a number up to a minute after it drew it.
    @Test(arguments: [1, 2])
    func pushesWhoseNumbersWereDrawnEarlierAreInExactlyOnePage(_ limit: Int) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let pushes = fixture.stores.pushes(owner: ProcessID())
            let numbers = try await pushes.messageNumbers(6)
            let run = try await fixture.run(of: campaign)
            for number in [numbers[1], numbers[0], numbers[5]] {
                try await fixture.push(to: [1], app: app.id, pushes, number: number)
            }
            _ = try await fixture.batch(of: run, app: app.id, first: 1, outcomes: [1])
            for number in [numbers[3], numbers[2], numbers[4]] {
                try await fixture.push(to: [1], app: app.id, pushes, number: number)
            }
            let history = fixture.stores.deviceHistory
            let found = try await pages { position in
                try await history.deliveries(of: Device.ID(rawValue: 1), app: app.id, before: position, limit: limit)
            }.flatMap(\.self)
            #expect(found.count == 7)
            #expect(Set(found.compactMap { $0.run == nil ? $0.messageNumber : nil }) == Set(numbers))
            #expect(found.count { $0.run == run } == 1)
        }
    }

    @Test func whatIsSentWhileSomebodyReadsIsNotInTheNextPages() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let pushes = fixture.stores.pushes(owner: ProcessID())
            func send() async throws {
                try await fixture.push(to: [1], app: app.id, pushes)
                _ = try await fixture.batch(of: fixture.run(of: campaign), app: app.id, first: 1, outcomes: [1])
                try await fixture.pool.execute("UPDATE runs SET state = 'finished', finished_at = now()")
            }
            for _ in 0..<3 { try await send() }
            let found = try await pages { position in
                let page = try await fixture.stores.deviceHistory.deliveries(
                    of: Device.ID(rawValue: 1), app: app.id, before: position, limit: 1)
                try await send()
                return page
            }.flatMap(\.self)
            #expect(found.count == 6)
            #expect(found.map { $0.run == nil } == [false, true, false, true, false, true])
        }
    }

    /// All pages, each read from the end of the one before.
    private func pages(
        _ read: (DeviceHistoryPosition?) async throws -> DeviceHistoryPage
    ) async throws -> [[DeviceDelivery]] {
        var pages: [[DeviceDelivery]] = []
        var position: DeviceHistoryPosition?
        repeat {
            let page = try await read(position)
            pages.append(page.deliveries)
            position = page.next
        } while position != nil
        return pages
    }
}

extension StoreFixture {
    /// As a week after the present range was opened.
    fileprivate func openNextRange() async throws {
        try await pool.execute(
            """
            UPDATE message_ranges SET opened_at = now() - interval '8 days'
            WHERE first_number = (SELECT max(first_number) FROM message_ranges WHERE opened_at IS NOT NULL)
            """)
        try await MessageRangeStore(pool: pool).maintain()
    }

    /// A transactional push whose recipients are all suppressed.
    fileprivate func push(
        to devices: [Int64], app: App.ID, _ pushes: PushStore, number: Int64? = nil
    ) async throws {
        let drawn = try await pushes.messageNumbers(1)
        let batch = PushBatch(
            app: app, environment: .production, messageNumber: number ?? drawn[0],
            messageKeyVersion: 1, recipients: devices, outcomes: devices.map { _ in 10 })
        _ = try await pushes.insert([batch], keeping: [], lease: .seconds(60))
    }
}
