/// Names that a client or a proxy has given to a request, so that its log lines can be found beside theirs.
struct RequestLabels: Hashable, Sendable {
    /// Characters of an id. Longer ones are not taken.
    static let maximumID = 64

    /// The value of X-Request-Id; nil if it has other characters than letters, digits and . _ -, or too many. Logs,
    /// responses and records can contain it as it is.
    private(set) var id: String?
    /// The trace of `traceparent`, 32 hexadecimal digits (W3C Trace Context §3.2.2.3).
    private(set) var trace: String?

    /// Takes the value of a header field if it is one of the two. Most requests have neither, so only lengths are
    /// compared then.
    mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if FieldNames.equals(name, lowercase: Self.idName) { takeID(value) }
        if FieldNames.equals(name, lowercase: Self.traceName) { takeTrace(value) }
    }

    /// The first of several values is taken.
    mutating func takeID(_ value: UnsafeRawBufferPointer) {
        guard id == nil, (1...Self.maximumID).contains(value.count), value.allSatisfy(\.isOfID) else { return }
        id = String(decoding: value, as: UTF8.self)
    }

    /// version "-" trace "-" parent "-" flags. Later versions may add further parts; version ff is none.
    mutating func takeTrace(_ value: UnsafeRawBufferPointer) {
        let parts = value.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWellFormed = zip(parts, Self.digits).allSatisfy { $0.count == $1 && $0.allSatisfy(\.isDigitOfTrace) }
        guard trace == nil, parts.count >= Self.digits.count, isWellFormed else { return }
        let isFirstVersion = parts[0].allSatisfy { $0 == UInt8(ascii: "0") }
        guard isFirstVersion ? parts.count == Self.digits.count : !parts[0].allSatisfy({ $0 == UInt8(ascii: "f") })
        else { return }
        guard parts[1...2].allSatisfy({ !$0.allSatisfy { $0 == UInt8(ascii: "0") } }) else { return }
        trace = String(decoding: parts[1], as: UTF8.self)
    }

    private static let idName = Array("x-request-id".utf8)
    private static let traceName = Array("traceparent".utf8)
    /// Of version, trace, parent and flags.
    private static let digits = [2, 32, 16, 2]
}

extension UInt8 {
    fileprivate var isOfID: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    fileprivate var isDigitOfTrace: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
