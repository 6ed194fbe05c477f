import EventLoop

/// Numbers for reasons, so that a push's result is a trivial type. Apple's known reasons have
/// fixed numbers; others get one when they first occur, up to a limit.
public final class ReasonTable: Sendable {
    /// The most unknown reasons that are stored; later ones become "other".
    public static let maximumUnknown = 60
    /// Bytes of an unknown reason that are stored.
    public static let maximumLength = 100

    /// A reason's number: 0 is "none given".
    public typealias Number = UInt16

    private let unknown = Lock<[String]>([])
    private static let firstUnknown = Number(APNSReason.allCases.count + 1)
    private static let known: [String: Number] = Dictionary(
        uniqueKeysWithValues: APNSReason.allCases.enumerated().map { ($1.rawValue, Number($0 + 1)) })

    public init() {}

    public static func number(of reason: APNSReason) -> Number { known[reason.rawValue] ?? 0 }

    func number(for text: String) -> Number {
        if let reason = APNSReason(text: text) { return Self.number(of: reason) }
        let text = String(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self)
        return unknown.withLock { unknown in
            if let index = unknown.firstIndex(of: text) { return Self.firstUnknown + Number(index) }
            if unknown.count == Self.maximumUnknown { return Self.firstUnknown + Number(Self.maximumUnknown) }
            unknown.append(text)
            return Self.firstUnknown + Number(unknown.count - 1)
        }
    }

    /// Nil for "none given" and for unknown reasons.
    public static func reason(_ number: Number) -> APNSReason? {
        guard number >= 1, number < firstUnknown else { return nil }
        return APNSReason.allCases[Int(number) - 1]
    }

    /// The reason as Apple sent it.
    public func text(_ number: Number) -> String {
        if let reason = Self.reason(number) { return reason.rawValue }
        guard number >= Self.firstUnknown else { return "no reason given" }
        return unknown.withLock { unknown in
            let index = Int(number - Self.firstUnknown)
            return index < unknown.count ? unknown[index] : "other"
        }
    }
}
