/// The response to a request of transactional pushes: its id, and the message id of each device's push.
public struct PushReceipt: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// The index of the target in the request.
        public let target: Int
        public let id: MessageID
        /// The ledger's code: pending, or the reason why nothing is sent.
        public let code: UInt8

        public init(target: Int, id: MessageID, code: UInt8) {
            self.target = target
            self.id = id
            self.code = code
        }
    }

    public let id: PushRequestID
    public let entries: [Entry]
    /// The indexes of targets that were left out, because the request has too many devices with them.
    public let skippedTargets: [Int]

    public init(id: PushRequestID, entries: [Entry], skippedTargets: [Int] = []) {
        self.id = id
        self.entries = entries
        self.skippedTargets = skippedTargets
    }
}

// The form stored under an idempotency key: a count and the id's parts, then the entries; numbers big-endian.
// An entry without a message stands for a target that was left out.
extension PushReceipt {
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [UInt8(id.parts.count)]
        for part in id.parts {
            bytes.append(UInt64(part.messageNumber))
            bytes.append(UInt16(part.first))
            bytes.append(UInt16(part.count))
        }
        for entry in entries {
            bytes.append(UInt16(entry.target))
            bytes.append(entry.id.high)
            bytes.append(entry.id.low)
            bytes.append(entry.code)
        }
        for target in skippedTargets {
            bytes.append(UInt16(target))
            bytes += [UInt8](repeating: 0, count: Self.messageSize)
        }
        return bytes
    }

    /// Bytes of an entry's message ID and code.
    private static let messageSize = 17

    /// Nil if the bytes are not a receipt.
    public init?(bytes: [UInt8]) {
        var rest = bytes[...]
        guard let count: UInt8 = rest.take() else { return nil }
        var parts: [PushRequestID.Part] = []
        for _ in 0..<count {
            guard let number: UInt64 = rest.take(), let first: UInt16 = rest.take(), let count: UInt16 = rest.take(),
                let number = Int64(exactly: number)
            else { return nil }
            parts.append(PushRequestID.Part(messageNumber: number, first: Int(first), count: Int(count)))
        }
        var entries: [Entry] = []
        var skipped: [Int] = []
        while !rest.isEmpty {
            guard let target: UInt16 = rest.take(), let high: UInt64 = rest.take(), let low: UInt64 = rest.take(),
                let code: UInt8 = rest.take()
            else { return nil }
            if high == 0, low == 0 {
                skipped.append(Int(target))
            } else {
                entries.append(Entry(target: Int(target), id: MessageID(high: high, low: low), code: code))
            }
        }
        self.init(id: PushRequestID(parts), entries: entries, skippedTargets: skipped)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let length = Number.bitWidth / 8
        guard count >= length else { return nil }
        defer { removeFirst(length) }
        return prefix(length).reduce(0) { $0 << 8 | Number($1) }
    }
}
