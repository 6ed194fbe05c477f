import APNS
import Campaigns
import Logging
import Store

/// The meaning of ledger bytes, read from the database once. An unknown reason from Apple gets a code when it first
/// occurs.
actor OutcomeCodes {
    private let store: OutcomeCodeStore
    private var kinds = [OutcomeKind](repeating: .rejected, count: OutcomeCode.limit)
    private var rejections: [String: UInt8] = [:]
    private var isLoaded = false

    init(store: OutcomeCodeStore) {
        self.store = store
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
        _ = try await allKinds()
        if let code = rejections[reason] { return code }
        if let code = try await store.addRejection(reason) {
            add(code)
            return code.code
        }
        return OutcomeCode.rejectedOther
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
        if code.kind == .rejected { rejections[code.reason] = code.code }
    }
}
