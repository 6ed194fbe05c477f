import APNS
import Campaigns
import Logging
import Store

/// The meaning of ledger bytes, read from the database once; new reasons of Apple get a code when
/// they come.
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

    /// The code for each reason in the window. One that cannot be had becomes "other".
    nonisolated func rejections(
        in window: PushWindow, reasons: ReasonTable, logger: Logger
    ) async -> [ReasonTable.Number: UInt8] {
        var codes: [ReasonTable.Number: UInt8] = [:]
        for place in 0..<window.count {
            let result = window.results[place]
            guard result.state == .answered, result.status != 200, codes[result.reason] == nil else { continue }
            do {
                codes[result.reason] = try await rejection(reasons.text(result.reason))
            } catch {
                logger.error(
                    "no code for a reason", metadata: ["reason": "\(reasons.text(result.reason))", "error": "\(error)"])
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
