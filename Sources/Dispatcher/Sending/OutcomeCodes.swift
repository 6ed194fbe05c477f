import APNS
import Campaigns
import Logging
import Store

/// The meaning of ledger bytes, read from the database once. An unknown reason from Apple gets a code when it first
/// occurs.
actor OutcomeCodes {
    private let store: OutcomeCodeStore
    private let metrics: DispatchMetrics
    private var kinds = [OutcomeKind](repeating: .rejected, count: OutcomeCode.limit)
    private var codes: [OutcomeKind: [String: UInt8]] = [:]
    private var isLoaded = false

    init(store: OutcomeCodeStore, metrics: DispatchMetrics) {
        self.store = store
        self.metrics = metrics
    }

    /// Each code's kind, by code.
    func allKinds() async throws -> [OutcomeKind] {
        if !isLoaded {
            for code in try await store.all() { add(code) }
            isLoaded = true
        }
        return kinds
    }

    func rejection(_ reason: String) async throws -> UInt8 {
        try await code(reason, .rejected) ?? OutcomeCode.rejectedOther
    }

    /// The code of pushes that expired while Apple answered all with this reason; without one if it can't be read or added.
    nonisolated func expiry(because reason: String, logger: Logger) async -> UInt8 {
        do {
            return try await code(reason, .expired) ?? OutcomeCode.expired
        } catch {
            logger.error("reason has no outcome code", metadata: ["reason": "\(reason)", "error": "\(error)"])
            return OutcomeCode.expired
        }
    }

    private func code(_ reason: String, _ kind: OutcomeKind) async throws -> UInt8? {
        _ = try await allKinds()
        if let code = codes[kind]?[reason] { return code }
        guard let code = try await store.add(reason, kind) else { return nil }
        add(code)
        return code.code
    }

    /// The code for each reason of these rejections; "other" if the code can't be read or added.
    nonisolated func codes(
        of rejections: [PushResult], reasons: ReasonTable, logger: Logger
    ) async -> [ReasonTable.Number: UInt8] {
        var codes: [ReasonTable.Number: UInt8] = [:]
        for result in rejections where codes[result.reason] == nil {
            do {
                codes[result.reason] = try await rejection(reasons.text(result.reason))
            } catch {
                logger.error(
                    "reason has no outcome code",
                    metadata: ["reason": "\(reasons.text(result.reason))", "error": "\(error)"])
                codes[result.reason] = OutcomeCode.rejectedOther
            }
        }
        return codes
    }

    private func add(_ code: OutcomeCodeStore.Code) {
        kinds[Int(code.code)] = code.kind
        codes[code.kind, default: [:]][code.reason] = code.code
        metrics.know(code.code, code.kind, reason: code.reason)
    }
}
