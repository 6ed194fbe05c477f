import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// Maintenance while batches are being sent, every second: leases, ambiguous inserts, rate limits, and the batches of
/// lost processes.
extension PushOutbox {
    /// Limits of one sweep: batches of lost processes, and cleanup steps.
    private static let abandonedBatchLimit = 500
    private static let cleaningSteps = 10
    /// Polls between two sweeps.
    private static let pollsPerSweep = 3

    /// Returns when all is sent.
    func maintain() async {
        var nextRenewal = MonotonicTime.now() + dependencies.options.renewal
        var nextSweep = MonotonicTime.now()
        defer { drop(ambiguousInserts) }
        while !isAllSent, !Task.isCancelled {
            if .now() >= nextRenewal {
                nextRenewal = .now() + dependencies.options.renewal
                await renew()
            }
            await readClock()
            await resolveAmbiguousInserts()
            await chargeRateLimits()
            if .now() >= nextSweep {
                nextSweep = .now() + dependencies.options.poll * Self.pollsPerSweep
                await endAbandoned()
                await clean()
            }
            await maintenanceSignal.sleep(upTo: dependencies.options.poll * Double.random(in: 0.9...1.1))
        }
    }

    private func renew() async {
        let ids = Array(held.keys)
        guard !ids.isEmpty else { return }
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let ours = try await dependencies.store.renew(ids, lease: dependencies.options.lease)
            for id in ids {
                // The batch ended meanwhile.
                guard let held = held[id] else { continue }
                if ours.contains(id) {
                    held.lease.renewed(at: began)
                    held.window?.allow(until: sendDeadline(held))
                } else {
                    held.isLost = true
                }
            }
        } catch {
            dependencies.logger.warning("push leases not renewed", metadata: ["reason": "\(error)"])
        }
    }

    private func readClock() async {
        do throws(PostgresError) {
            _ = try await dependencies.clock.now()
        } catch {
            dependencies.logger.debug("database clock not read", metadata: ["reason": "\(error)"])
        }
    }

    /// Looks for ambiguous inserts that were stored: no other process could send them.
    private func resolveAmbiguousInserts() async {
        drop(ambiguousInserts.filter { $0.until <= .now() })
        guard !ambiguousInserts.isEmpty, !isComplete else { return }
        let asked = ambiguousInserts
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let found = try await dependencies.store.adopt(
                asked.flatMap(\.draft.names), lease: dependencies.options.lease)
            let resolved = asked.filter { $0.draft.names.contains { found[$0.messageNumber] != nil } }
            let accepted = resolved.flatMap {
                $0.draft.acceptedBatches(
                    found, leaseBegan: began, at: dependencies.clock.estimate, isDelayed: true)
            }
            add(accepted)
            forget(resolved, except: accepted.reduce(0) { $0 + $1.pushes.count })
        } catch {
            dependencies.logger.warning("insert result still ambiguous", metadata: ["reason": "\(error)"])
        }
    }

    /// Stops looking for inserts. If they were stored after all, their outcomes become unknown when the lease ends.
    private func drop(_ lost: [AmbiguousInsert]) {
        guard !lost.isEmpty else { return }
        dependencies.logger.warning("ambiguous inserts abandoned", metadata: ["groups": "\(lost.count)"])
        forget(lost)
    }

    /// `accepted` recipients of theirs stay unresolved.
    private func forget(_ inserts: [AmbiguousInsert], except accepted: Int = 0) {
        let names = Set(inserts.flatMap(\.draft.names))
        ambiguousInserts.removeAll { !names.isDisjoint(with: $0.draft.names) }
        dependencies.unresolved.giveBackPushes(inserts.reduce(-accepted) { $0 + $1.draft.unresolved })
    }

    /// Transactional pushes are not limited themselves; they reduce the rate left to the app's campaigns.
    private func chargeRateLimits() async {
        guard !sent.isEmpty else { return }
        let counts = sent
        sent.removeAll(keepingCapacity: true)
        do throws(PostgresError) {
            try await dependencies.rateLimits.charge(counts)
        } catch {
            dependencies.logger.warning("pushes not charged to rate limits", metadata: ["reason": "\(error)"])
        }
    }

    private func endAbandoned() async {
        do {
            let count = try await dependencies.store.endAbandoned(
                limit: Self.abandonedBatchLimit, lease: dependencies.options.lease)
            guard count > 0 else { return }
            dependencies.logger.notice("push batches of lost processes ended", metadata: ["batches": "\(count)"])
            dependencies.onEvent?(.abandonedEnded(batches: count))
        } catch {
            dependencies.logger.warning("push batches of lost processes not ended", metadata: ["reason": "\(error)"])
        }
    }

    private func clean() async {
        do throws(PostgresError) {
            for _ in 0..<Self.cleaningSteps {
                let hasMoreKeys = try await dependencies.idempotencyKeys.clean()
                let hasMoreAnswers = try await dependencies.answers.clean()
                guard hasMoreKeys || hasMoreAnswers else { return }
            }
        } catch {
            dependencies.logger.warning("expired idempotency keys not deleted", metadata: ["reason": "\(error)"])
        }
    }
}
