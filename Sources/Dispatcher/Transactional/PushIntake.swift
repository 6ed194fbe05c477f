import APNS
import Campaigns
import Crypto
import EventLoop
import Logging
import Postgres
import Store

/// Stores groups of requests as batches that this process holds, and passes the batches on to be sent.
actor PushIntake {
    /// Message numbers that one query fetches.
    private static let numbersPerFetch = 100
    /// The time that an app's keys are used before they are read again.
    private static let keyLifetime = Duration.seconds(60)
    /// The maximum number of attempts to store a group when another process has just used one of its idempotency keys.
    private static let maximumAttempts = 5

    private typealias MessageKey = (version: Int16, key: HMACKey, readAt: MonotonicTime)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PushStore
    private let idempotencyKeys: PushKeyStore
    private let messageKeys: MessageKeyStore
    private let clock: DatabaseClock
    private let options: DispatcherOptions
    private let logger: Logger
    private let unresolved: UnresolvedBudget
    private let onStored: @Sendable ([AcceptedBatch]) -> Void
    private let onAmbiguousInsert: @Sendable (AmbiguousInsert) -> Void
    private var numbers = DrawnNumbers()
    private var keys: [App.ID: MessageKey] = [:]

    init(
        store: PushStore, idempotencyKeys: PushKeyStore, messageKeys: MessageKeyStore, clock: DatabaseClock,
        options: DispatcherOptions, loop: EventLoop, logger: Logger, unresolved: UnresolvedBudget,
        onStored: @escaping @Sendable ([AcceptedBatch]) -> Void,
        onAmbiguousInsert: @escaping @Sendable (AmbiguousInsert) -> Void
    ) {
        self.store = store
        self.idempotencyKeys = idempotencyKeys
        self.messageKeys = messageKeys
        self.clock = clock
        self.options = options
        self.loop = loop
        self.logger = logger
        self.unresolved = unresolved
        self.onStored = onStored
        self.onAmbiguousInsert = onAmbiguousInsert
    }

    /// Returns an answer for each request, in their order, when all of them are stored.
    func submit(_ requests: [PushRequest]) async throws -> [PushSubmission] {
        var group = PushRequestGroup(requests)
        for _ in 0..<Self.maximumAttempts {
            do {
                try await submit(&group)
                return group.answers
            } catch let error as PostgresError where error.isUniqueViolation(constraint: PushKeyStore.constraint) {
                for found in try await idempotencyKeys.find(group.openKeys) { group.answer(found) }
            }
        }
        try await submit(&group)
        return group.answers
    }

    private func submit(_ group: inout PushRequestGroup) async throws {
        // A copy: another group may find meanwhile that the app was deleted.
        var keys: [App.ID: (version: Int16, key: HMACKey)] = [:]
        for app in group.openApps {
            if let key = try await key(of: app) { keys[app] = (key.version, key.key) } else { group.refuse(app) }
        }
        let open = group.open
        guard !open.isEmpty else { return }
        let grouping = PushGrouping(open.map(\.request))
        // Numbers are drawn after the wait, which may be long: they must not be old.
        await takeRoom(for: grouping.unresolved)
        let numbers: [Int64]
        do throws(PostgresError) {
            numbers = try await takeNumbers(grouping.batches.count)
        } catch {
            unresolved.giveBackPushes(grouping.unresolved)
            throw error
        }
        let draft = PushGroupDraft(open.map(\.request), grouping, numbers: numbers, keys: keys)
        let (ids, began) = try await insert(draft)
        let accepted = draft.acceptedBatches(ids, leaseBegan: began, at: clock.estimate)
        // The others belong to an app that was deleted.
        unresolved.giveBackPushes(draft.unresolved - accepted.reduce(0) { $0 + $1.pushes.count })
        onStored(accepted)
        for (number, receipt) in draft.receipts.enumerated() {
            let isStored = receipt.id.parts.allSatisfy { ids[$0.messageNumber] != nil }
            group.answer(open[number].index, isStored ? .accepted(receipt) : .noSuchApp)
        }
    }

    /// When the answer is lost, the batches may still be stored, now or a little later. Then this process holds them,
    /// and no other process could send them.
    private func insert(
        _ draft: PushGroupDraft
    ) async throws(PostgresError) -> (ids: [Int64: Batch.ID], leaseBegan: MonotonicTime) {
        let began = MonotonicTime.now()
        do {
            return (try await store.insert(draft.batches, keeping: draft.idempotencyKeys, lease: options.lease), began)
        } catch {
            guard error.isAmbiguous else {
                unresolved.giveBackPushes(draft.unresolved)
                throw error
            }
            logger.warning("insert result ambiguous", metadata: ["reason": "\(error)"])
            let again = MonotonicTime.now()
            if let ids = await findStored(draft) { return (ids, again) }
            onAmbiguousInsert(AmbiguousInsert(draft: draft, until: began + PushStore.insertDeadline + options.lease))
            throw error
        }
    }

    /// Nil when they are not stored yet, or the database is unavailable.
    private func findStored(_ draft: PushGroupDraft) async -> [Int64: Batch.ID]? {
        do throws(PostgresError) {
            let ids = try await store.adopt(draft.names, lease: options.lease)
            return ids.isEmpty ? nil : ids
        } catch {
            logger.warning("insert result still ambiguous", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Waits until the process may have this many more unresolved recipients.
    private func takeRoom(for count: Int) async {
        let signal = WakeUpSignal(loop: loop)
        guard !unresolved.takeForPushes(count) else { return }
        unresolved.beginWaiting(signal)
        while !unresolved.takeForPushes(count) { await signal.sleep(upTo: options.poll) }
        unresolved.endWaiting(signal)
    }

    // MARK: Names

    private func takeNumbers(_ count: Int) async throws(PostgresError) -> [Int64] {
        while true {
            if let taken = numbers.take(count, at: .now()) { return taken }
            // Another group may use some of them during the query, so it fetches enough for both.
            let asked = MonotonicTime.now()
            numbers.add(try await store.messageNumbers(count + Self.numbersPerFetch), drawnAt: asked)
        }
    }

    /// The app's newest key; nil when there is no such app.
    private func key(of app: App.ID) async throws -> MessageKey? {
        if let known = keys[app], .now() - known.readAt < Self.keyLifetime { return known }
        let began = MonotonicTime.now()
        let newest = try await messageKeys.messageKeys(app: app).max { $0.key < $1.key }
        keys[app] = newest.map { ($0.key, $0.value, began) }
        return keys[app]
    }
}
