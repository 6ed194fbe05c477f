import APNS
import Application
import Campaigns
import Store

/// The meaning of a push's result for its recipient, for campaigns and transactional pushes.
enum PushVerdict {
    case accepted
    /// Apple's answer was another one. The code is that of its reason.
    case refused(Reaction, code: UInt8)
    /// It was certainly not sent.
    case unsent
    /// It may have been sent. The code says why that is unknown.
    case unknown(code: UInt8)

    /// `codes` are the outcome codes of the window's reasons.
    init(_ result: PushResult, codes: [ReasonTable.Number: UInt8]) {
        self =
            switch result.state {
            case .answered:
                result.reaction.map { .refused($0, code: codes[result.reason] ?? OutcomeCode.rejectedOther) }
                    ?? .accepted
            case .unsent: .unsent
            case .deadlinePassed: .unknown(code: OutcomeCode.unknownDeadline)
            case .streamReset: .unknown(code: OutcomeCode.unknownReset)
            case .connectionLost, .inFlight, .late: .unknown(code: OutcomeCode.unknownConnectionLost)
            }
    }
}

extension DeviceRetirementStore.InvalidatedToken {
    /// Nil unless Apple reports the token as invalid, with a timestamp.
    init?(_ result: PushResult, device: Int64) {
        guard result.reaction?.token == .gone, result.timestamp > 0 else { return nil }
        self.init(
            device: device, since: result.timestamp,
            reason: ReasonTable.reason(result.reason) == .expiredToken ? .tokenExpired : .unregistered)
    }
}
