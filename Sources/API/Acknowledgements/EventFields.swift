import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// The members of one event as they were read. A member that can't be used is a fault of this event only.
struct EventFields {
    struct Fault: Error, Equatable {
        let code: String
        let message: Message
    }

    /// A member that only some kinds have.
    private enum Member<Value> {
        case absent, unusable
        case value(Value)

        var isPresent: Bool { if case .absent = self { false } else { true } }
    }

    /// The members that were read.
    private struct Seen: OptionSet {
        let rawValue: UInt8
        static let id = Seen(rawValue: 1)
        static let kind = Seen(rawValue: 2)
        static let time = Seen(rawValue: 4)
        static let action = Seen(rawValue: 8)
        static let text = Seen(rawValue: 16)
        static let value = Seen(rawValue: 32)
        static let details: Seen = [.action, .text, .value]
    }

    private(set) var id: MessageID?
    private var toldKind: EventKind?
    private(set) var time = EventTime.receipt
    private var action = Member<String>.absent
    private var text = Member<String>.absent
    private var millionths = Member<Int64>.absent
    private var seen: Seen = []
    private var unknown: Set<String> = []

    mutating func read(_ reader: inout ByteReader, _ key: String) throws(ByteReader.Malformed) {
        switch key {
        case "message_id":
            try once(.id, key, reader)
            id = try reader.messageID()
        case "kind":
            try once(.kind, key, reader)
            toldKind = try reader.eventText().flatMap { EventKind(name: $0.text) }.flatMap {
                EventKind.reported.contains($0) ? $0 : nil
            }
        case "at":
            try once(.time, key, reader)
            time = try reader.eventTime()
        case "action":
            try once(.action, key, reader)
            action = try Self.texts(&reader, in: 0...AudienceEvent.maximumActionLength)
        case "text":
            try once(.text, key, reader)
            text = try Self.texts(&reader, in: 1...Int.max)
        case "value":
            try once(.value, key, reader)
            millionths = try reader.millionths().map { $0.map { .value($0) } ?? .unusable } ?? .absent
        default:
            guard unknown.insert(key).inserted else { throw reader.repeated(key) }
            try reader.skipValue()
        }
    }

    private mutating func once(_ member: Seen, _ key: String, _ reader: ByteReader) throws(ByteReader.Malformed) {
        guard seen.insert(member).inserted else { throw reader.repeated(key) }
    }

    /// Null is the same as no member.
    private static func texts(
        _ reader: inout ByteReader, in length: ClosedRange<Int>
    ) throws(ByteReader.Malformed) -> Member<String> {
        if reader.peek() == UInt8(ascii: "n") {
            try reader.word("null")
            return .absent
        }
        guard let (text, isStorable) = try reader.eventText() else { return .unusable }
        return isStorable && length.contains(text.utf8.count) ? .value(text.composed) : .unusable
    }

    /// The kind to store; nil if it is missing or unknown.
    var kind: EventKind? {
        guard toldKind == .action, case .value(let name) = action else { return toldKind }
        return EventKind(systemAction: name) ?? toldKind
    }

    /// The parts that events of this kind have; nil if the kind has none.
    func details(of kind: EventKind) -> Result<EventDetails?, Fault> {
        guard kind.hasAction else { return .success(nil) }
        var name = ""
        switch action {
        case .value(let action) where !action.isEmpty || kind == .text: name = action
        case .absent where kind == .text: break
        default: return .failure(Self.actionFault(kind))
        }
        switch (kind, text, millionths) {
        case (.text, .value(let text), _):
            return .success(EventDetails(action: name, text: text.cut(toBytes: Acknowledgement.maximumTextLength)))
        case (.text, _, _): return .failure(Self.textFault)
        case (.converted, _, .unusable): return .failure(Self.valueFault)
        case (.converted, _, .value(let value)):
            return .success(EventDetails(action: name, valueMillionths: value))
        default: return .success(EventDetails(action: name))
        }
    }

    /// Remarks about an event of this kind that is stored nevertheless.
    func flaws(of kind: EventKind) -> [Fault] {
        guard time == .unreadable || !unknown.isEmpty || !seen.isDisjoint(with: .details) else { return [] }
        var flaws: [Fault] = []
        if time == .unreadable { flaws.append(Self.timeFlaw) }
        if kind == .text, case .value(let text) = text, text.utf8.count > Acknowledgement.maximumTextLength {
            flaws.append(Self.textFlaw)
        }
        let isCorrected = kind != toldKind
        if isCorrected {
            flaws.append(
                Fault(
                    code: "kind-corrected",
                    message: "iOS uses this action for the event \(kind.name), which was stored instead."))
        }
        let unused = [
            ("action", action.isPresent && !kind.hasAction && !isCorrected), ("text", text.isPresent && kind != .text),
            ("value", millionths.isPresent && kind != .converted),
        ].filter(\.1).map(\.0)
        if !unused.isEmpty {
            flaws.append(
                Fault(
                    code: "unused-field",
                    message: "Events of the kind \(kind.name) don't have \(unused.alternatives); it was ignored."))
        }
        if !unknown.isEmpty { flaws.append(Self.unknownFlaw(unknown)) }
        return flaws
    }

    static func unknownFlaw(_ members: Set<String>) -> Fault {
        let names = members.sorted().joined(separator: ", ").prefix(100)
        return Fault(code: "unknown-field", message: "These members are not known, and were ignored: \(names).")
    }

    private static func actionFault(_ kind: EventKind) -> Fault {
        let meaning = kind == .converted ? "the name of the conversion" : "the identifier of the action"
        return Fault(
            code: "invalid-action",
            message: "The action must be \(meaning), a text of 1 to \(AudienceEvent.maximumActionLength) bytes.")
    }

    private static let textFault = Fault(code: "invalid-text", message: "The text must be what the person typed.")
    private static let textFlaw = Fault(
        code: "text-cut", message: "The text is longer than \(Acknowledgement.maximumTextLength) bytes, and was cut.")
    static let valueFault = Fault(
        code: "invalid-value",
        message: "The value must be a number from -\(ByteReader.maximumValue) to \(ByteReader.maximumValue).")
    static let timeFlaw = Fault(
        code: "invalid-time",
        message: "The time must be written like 2026-11-21T10:00:00Z. The time of receipt is stored instead.")
}

extension ByteReader {
    /// The largest value of a conversion. The column has twelve digits before the decimal point.
    static let maximumValue = 999_999_999_999

    /// Nil for anything that is not a message id.
    fileprivate mutating func messageID() throws(Malformed) -> MessageID? {
        guard peek() == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return try withString { MessageID(text: $0) }
    }

    /// Nil for anything that is not a text.
    mutating func eventText() throws(Malformed) -> (text: String, isStorable: Bool)? {
        guard peek() == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return try storableString()
    }

    mutating func eventTime() throws(Malformed) -> EventTime {
        switch peek() {
        case UInt8(ascii: "\""):
            return Timestamp(rfc3339: try storableString().text).map { .device($0) } ?? .unreadable
        case UInt8(ascii: "n"):
            try word("null")
            return .receipt
        default:
            try skipValue()
            return .unreadable
        }
    }

    /// Reads a value of a conversion, rounded to millionths. Nil: null; the inner nil: not a number, or too large.
    mutating func millionths() throws(Malformed) -> Int64?? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return .none
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            let start = position
            _ = try number()
            guard let value = Double(String(decoding: text(from: start), as: UTF8.self)) else { return .some(nil) }
            guard value.magnitude <= Double(Self.maximumValue) else { return .some(nil) }
            return Int64((value * 1_000_000).rounded())
        default:
            try skipValue()
            return .some(nil)
        }
    }

    /// Skips the next value, regardless of its content.
    mutating func skipValue() throws(Malformed) {
        try skip()
        _ = takeNUL()
    }
}

extension EventTime {
    /// The time that the device told; nil if it told none, or one that can't be read.
    var told: Timestamp? { if case .device(let time) = self { time } else { nil } }
}

extension String {
    /// The longest beginning of whole characters that has at most this many bytes.
    fileprivate func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var kept = 0
        var end = startIndex
        for index in indices {
            let length = self[index].utf8.count
            guard kept + length <= limit else { break }
            kept += length
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}
