/// Sends server-sent events (HTML Standard §9.2).
public struct EventSink: Sendable {
    static let keepAliveComment = Array(": keep-alive\n\n".utf8)

    let writer: ResponseWriter

    /// Sends one event. Line breaks in `data` are preserved. Line breaks in `event` and `id` would end the field, so
    /// they are removed.
    public func send(event: String? = nil, data: String, id: String? = nil) async throws {
        try await writer.write(Self.encode(event: event, data: data, id: id))
    }

    static func encode(event: String?, data: String, id: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.utf8.count + 32)
        func field(_ name: StaticString, _ value: some Sequence<UInt8>) {
            name.withUTF8Buffer { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
            bytes.append(.lineFeed)
        }
        func isBreak(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }
        if let event { field("event: ", event.utf8.filter { !isBreak($0) }) }
        if let id { field("id: ", id.utf8.filter { !isBreak($0) && $0 != 0 }) }
        var previous: UInt8 = 0
        var line: [UInt8] = []
        for byte in data.utf8 {
            defer { previous = byte }
            if byte == .lineFeed && previous == .carriageReturn { continue }
            if isBreak(byte) {
                field("data: ", line)
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
        field("data: ", line)
        bytes.append(.lineFeed)
        return bytes
    }
}
