import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// What has to be done beside the sending, each second: leases, pushes in doubt, paces, and what others have left behind.
extension PushOutbox {
    /// Batches of lost holders that are ended at once, and steps of cleaning, before anything else has its turn.
    private static let abandonedAtOnce = 500
    private static let cleaningSteps = 10
    /// Between two looks for either, in polls.
    private static let pollsBetweenLooks = 3

    /// Until all is sent.
    func care() async {
        var nextRenewal = MonotonicTime.now() + tools.options.renewal
        var nextLook = MonotonicTime.now()
        defer { drop(doubts) }
        while !isAllSent, !Task.isCancelled {
            if .now() >= nextRenewal {
                nextRenewal = .now() + tools.options.renewal
                await renew()
            }
            await readClock()
            await settleDoubts()
            await tellPaces()
            if .now() >= nextLook {
                nextLook = .now() + tools.options.poll * Self.pollsBetweenLooks
                await endAbandoned()
                await clean()
            }
            await careAlarm.sleep(upTo: tools.options.poll * Double.random(in: 0.9...1.1))
        }
    }

    private func renew() async {
        let ids = Array(held.keys)
        guard !ids.isEmpty else { return }
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let ours = try await tools.store.renew(ids, lease: tools.options.lease)
            for id in ids {
                // Ended meanwhile: by itself.
                guard let held = held[id] else { continue }
                if ours.contains(id) {
                    held.leaseBegan = began
                    held.window?.allow(until: mayTouchWireUntil(held))
                } else {
                    held.isLost = true
                }
            }
        } catch {
            tools.logger.warning("leases of pushes were not renewed", metadata: ["reason": "\(error)"])
        }
    }

    private func readClock() async {
        do throws(PostgresError) {
            _ = try await tools.clock.now()
        } catch {
            tools.logger.debug("the clock is carried on", metadata: ["reason": "\(error)"])
        }
    }

    /// Whether they were stored after all: nobody else could send them.
    private func settleDoubts() async {
        drop(doubts.filter { $0.until <= .now() })
        guard !doubts.isEmpty, !isComplete else { return }
        let asked = doubts
        let began = MonotonicTime.now()
        do throws(PostgresError) {
            let found = try await tools.store.adopt(asked.flatMap(\.draft.names), lease: tools.options.lease)
            let settled = asked.filter { $0.draft.names.contains { found[$0.messageNumber] != nil } }
            for doubt in settled {
                add(doubt.draft.takenBatches(found, leaseBegan: began, at: tools.clock.estimate, areLate: true))
            }
            forget(settled)
        } catch {
            tools.logger.warning("pushes stay in doubt", metadata: ["reason": "\(error)"])
        }
    }

    /// Should they have been stored all the same, the ledger calls them unknown when their lease is over.
    private func drop(_ lost: [PushDoubt]) {
        guard !lost.isEmpty else { return }
        tools.logger.warning("pushes in doubt are left to the ledger", metadata: ["groups": "\(lost.count)"])
        forget(lost)
    }

    private func forget(_ settled: [PushDoubt]) {
        let names = Set(settled.flatMap(\.draft.names))
        doubts.removeAll { !names.isDisjoint(with: $0.draft.names) }
        unsent.withLock { $0 -= settled.reduce(0) { $0 + $1.draft.recipients } }
    }

    /// They wait for no pace: an app's campaigns have what they leave of it.
    private func tellPaces() async {
        guard !sent.isEmpty else { return }
        let counts = sent
        sent.removeAll(keepingCapacity: true)
        do throws(PostgresError) {
            try await tools.paces.spend(counts)
        } catch {
            tools.logger.warning("campaigns do not know of pushes", metadata: ["reason": "\(error)"])
        }
    }

    private func endAbandoned() async {
        do throws(PostgresError) {
            let count = try await tools.store.endAbandoned(limit: Self.abandonedAtOnce, lease: tools.options.lease)
            guard count > 0 else { return }
            tools.logger.notice("ended pushes of a lost process", metadata: ["batches": "\(count)"])
            tools.onEvent?(.abandonedEnded(batches: count))
        } catch {
            tools.logger.warning("nobody looked for lost pushes", metadata: ["reason": "\(error)"])
        }
    }

    private func clean() async {
        do throws(PostgresError) {
            for _ in 0..<Self.cleaningSteps {
                guard try await tools.kept.clean() else { return }
            }
        } catch {
            tools.logger.warning("old idempotency keys stay for now", metadata: ["reason": "\(error)"])
        }
    }
}
