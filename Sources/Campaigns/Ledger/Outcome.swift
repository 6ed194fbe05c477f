/// The outcome of one recipient in the ledger.
public enum OutcomeKind: String, CaseIterable, Hashable, Sendable {
    case pending, accepted, rejected, suppressed, expired, cancelled, unknown
    /// Deferred to a later batch, which accounts for the recipient from then on.
    case deferred
}

/// One byte of a batch: bits 0 to 6 are a code of the table `outcome_codes`, bit 7 says that the
/// recipient "was unknown, sent again" and is never cleared.
public struct OutcomeByte: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let resentBit: UInt8 = 0x80

    public init(code: UInt8, isResent: Bool) {
        rawValue = code & ~Self.resentBit | (isResent ? Self.resentBit : 0)
    }

    public var code: UInt8 { rawValue & ~Self.resentBit }
    public var isResent: Bool { rawValue & Self.resentBit != 0 }
}

/// The outcome codes that the code uses; the table `outcome_codes` has the same numbers. Other reasons of Apple
/// get a code when they first occur.
public enum OutcomeCode {
    public static let pending: UInt8 = 0
    public static let accepted: UInt8 = 1
    public static let deferred: UInt8 = 2
    public static let expired: UInt8 = 3
    public static let cancelled: UInt8 = 4
    public static let unknownWorkerLost: UInt8 = 5
    public static let unknownDeadline: UInt8 = 6
    public static let unknownReset: UInt8 = 7
    public static let unknownConnectionLost: UInt8 = 8
    /// Below a batch's `sent_through`, but certainly not sent.
    public static let requeued: UInt8 = 9
    public static let suppressedDenied: UInt8 = 10
    public static let suppressedTooLong: UInt8 = 11
    public static let suppressedRemoved: UInt8 = 12
    public static let suppressedNoCredential: UInt8 = 13
    /// The recipient lacks a value that has no default in the template.
    public static let suppressedValueMissing: UInt8 = 14
    public static let suppressedOptedOut: UInt8 = 15
    public static let suppressedCap: UInt8 = 16
    public static let suppressedQuietHours: UInt8 = 17
    /// The local time had passed during planning, and the campaign skips such recipients.
    public static let suppressedLocalTimePast: UInt8 = 18
    /// The recipient has a value that its placeholder can't show, like a text where a number must be.
    public static let suppressedValueUnusable: UInt8 = 19
    /// Rejected by Apple with a reason for which no code was left.
    public static let rejectedOther: UInt8 = 52
    /// New reasons of Apple get the codes from 53 up to here. From here on are Belfry's own that were added later.
    public static let firstReserved: UInt8 = 120
    public static let suppressedOptedOutOfAll: UInt8 = 120
    /// In the control group: would have been sent to.
    public static let suppressedControl: UInt8 = 121
    /// In the app's global control group: would have been sent to.
    public static let suppressedGlobalControl: UInt8 = 122
    /// Who would have been sent to, if it were not for a comparison.
    public static let heldBack = [suppressedControl, suppressedGlobalControl]
    /// Codes that the table may hold.
    public static let limit = 128
}

extension OutcomeCode {
    /// The reason of a suppression in the table; nil for other codes.
    public static func suppressionReason(_ code: UInt8) -> String? {
        switch code {
        case suppressedDenied: "notifications denied"
        case suppressedTooLong: "payload too long"
        case suppressedRemoved: "device removed"
        case suppressedNoCredential: "no credential for this environment"
        case suppressedValueMissing: "value missing"
        case suppressedValueUnusable: "value not usable"
        case suppressedOptedOut: "opted out of the topic"
        case suppressedOptedOutOfAll: "opted out of all campaigns"
        case suppressedCap: "frequency cap"
        case suppressedControl: "control group"
        case suppressedGlobalControl: "global control group"
        case suppressedQuietHours: "quiet hours"
        case suppressedLocalTimePast: "local time past"
        default: nil
        }
    }
}
