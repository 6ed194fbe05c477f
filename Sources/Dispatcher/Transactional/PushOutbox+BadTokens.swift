import APNS
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

/// Tokens that Apple does not know, or only for another topic. Apple does not say whether the token is bad or the
/// configuration, so the share of such answers decides.
extension PushOutbox {
    /// The devices to report, of the window that was sent to the pushes with these indices.
    func badTokens(
        _ window: PushWindow, _ indices: [Int], of batch: AcceptedBatch
    ) async -> [DeviceRetirementStore.InvalidatedToken] {
        var answers = 0
        var bad: [(device: Int64, isForeign: Bool)] = []
        for (position, index) in indices.enumerated() {
            let result = window.results[position]
            let fault = result.reaction?.token
            // Other answers say nothing about the token.
            guard result.isAccepted || fault != nil else { continue }
            answers += 1
            if fault == .unknown || fault == .foreign {
                bad.append((batch.recipients[index], isForeign: fault == .foreign))
            }
        }
        let health = health(of: batch.app, batch.environment, after: answers, mismatches: bad.count)
        guard health.allowsRetiring, !bad.isEmpty else { return [] }
        // Without another environment to try, an unknown token is certain. Else a campaign tries the other one.
        let isOnly = await isOnlyEnvironment(batch)
        let now = Int64(dependencies.clock.estimate)
        let since = now - Int64((.now() - batch.leaseBegan + Self.longestWait).seconds)
        return bad.filter { $0.isForeign || isOnly }.map { device, isForeign in
            DeviceRetirementStore.InvalidatedToken(
                device: device, since: since * 1_000, reason: .badToken,
                suspectIn: isForeign ? .hour(now / 3_600) : nil)
        }
    }

    /// Far longer than a request waits to be stored. Its tokens were read before that: a device that has registered
    /// since then may have another one.
    private static let longestWait = Duration.seconds(600)

    private func isOnlyEnvironment(_ batch: AcceptedBatch) async -> Bool {
        do {
            return try await client(for: batch.app, batch.environment.other) == nil
        } catch {
            // The next push reports it again.
            dependencies.logger.info("credential not read", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
