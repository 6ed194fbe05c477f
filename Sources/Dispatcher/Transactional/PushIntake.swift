import APNS
import Campaigns
import Crypto
import EventLoop
import Logging
import Postgres
import Store

/// Takes requests by the group: stores them as batches that this process holds, and hands these on to be sent.
actor PushIntake {
    /// Message numbers that are fetched at once.
    private static let numbersAtOnce = 100
    /// How long an app's keys are used without a look into the database.
    private static let keyLifetime = Duration.seconds(60)
    /// Times that a group is stored anew because of idempotency keys that others have just used.
    private static let maximumAttempts = 5

    private typealias MessageKey = (version: Int16, key: HMACKey, readAt: MonotonicTime)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PushStore
    private let kept: PushKeyStore
    private let messageKeys: MessageKeyStore
    private let clock: DatabaseClock
    private let options: DispatcherOptions
    private let logger: Logger
    private let handOver: @Sendable ([TakenBatch]) -> Void
    private let doubt: @Sendable (PushDoubt) -> Void
    private var numbers: [Int64] = []
    private var keys: [App.ID: MessageKey] = [:]

    init(
        store: PushStore, kept: PushKeyStore, messageKeys: MessageKeyStore, clock: DatabaseClock,
        options: DispatcherOptions, loop: EventLoop, logger: Logger,
        handOver: @escaping @Sendable ([TakenBatch]) -> Void,
        doubt: @escaping @Sendable (PushDoubt) -> Void
    ) {
        self.store = store
        self.kept = kept
        self.messageKeys = messageKeys
        self.clock = clock
        self.options = options
        self.loop = loop
        self.logger = logger
        self.handOver = handOver
        self.doubt = doubt
    }

    /// An answer for each request, in their order, when all of them are stored.
    func take(_ requests: [PushRequest]) async throws -> [PushAnswer] {
        var group = PushRequestGroup(requests)
        for _ in 0..<Self.maximumAttempts {
            do {
                try await take(&group)
                return group.answers
            } catch let error as PostgresError where error.isUniqueViolation(constraint: PushKeyStore.constraint) {
                for found in try await kept.find(group.openKeys) { group.answer(found) }
            }
        }
        try await take(&group)
        return group.answers
    }

    private func take(_ group: inout PushRequestGroup) async throws {
        // Held on to: another group may find meanwhile that the app is gone.
        var keys: [App.ID: (version: Int16, key: HMACKey)] = [:]
        for app in group.openApps {
            if let key = try await key(of: app) { keys[app] = (key.version, key.key) } else { group.refuse(app) }
        }
        let open = group.open
        guard !open.isEmpty else { return }
        let grouping = PushGrouping(open.map(\.request))
        let numbers = try await takeNumbers(grouping.batches.count)
        let draft = PushGroupDraft(open.map(\.request), grouping, numbers: numbers, keys: keys)
        let (ids, began) = try await insert(draft)
        handOver(draft.takenBatches(ids, leaseBegan: began, at: clock.estimate))
        for (place, receipt) in draft.receipts.enumerated() {
            let isStored = receipt.id.parts.allSatisfy { ids[$0.messageNumber] != nil }
            group.answer(open[place].place, isStored ? .taken(receipt) : .noSuchApp)
        }
    }

    /// When the answer is lost the batches may be stored all the same, now or a little later. They are this process's
    /// then, and nobody else could send them.
    private func insert(
        _ draft: PushGroupDraft
    ) async throws(PostgresError) -> (ids: [Int64: Batch.ID], leaseBegan: MonotonicTime) {
        let began = MonotonicTime.now()
        do {
            return (try await store.insert(draft.batches, keeping: draft.kept, lease: options.lease), began)
        } catch {
            guard error.leavesDoubt else { throw error }
            logger.warning("pushes in doubt", metadata: ["reason": "\(error)"])
            let again = MonotonicTime.now()
            if let ids = await lookAgain(draft) { return (ids, again) }
            doubt(PushDoubt(draft: draft, until: began + PushStore.insertDeadline + options.lease))
            throw error
        }
    }

    /// Nil when they are not there yet, or nobody can look.
    private func lookAgain(_ draft: PushGroupDraft) async -> [Int64: Batch.ID]? {
        do throws(PostgresError) {
            let ids = try await store.adopt(draft.names, lease: options.lease)
            return ids.isEmpty ? nil : ids
        } catch {
            logger.warning("pushes stay in doubt", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    // MARK: Names

    private func takeNumbers(_ count: Int) async throws(PostgresError) -> [Int64] {
        // Another group may take of them while these are fetched, so there are enough for both.
        if numbers.count < count { numbers += try await store.messageNumbers(count + Self.numbersAtOnce) }
        defer { numbers.removeFirst(count) }
        return Array(numbers.prefix(count))
    }

    /// The newest of the app's; nil when there is no such app.
    private func key(of app: App.ID) async throws -> MessageKey? {
        if let known = keys[app], .now() - known.readAt < Self.keyLifetime { return known }
        let began = MonotonicTime.now()
        let newest = try await messageKeys.messageKeys(app: app).max { $0.key < $1.key }
        keys[app] = newest.map { ($0.key, $0.value, began) }
        return keys[app]
    }
}
