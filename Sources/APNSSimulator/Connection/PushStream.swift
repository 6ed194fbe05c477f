import EventLoop

/// One open stream: its request, and the memory of its response, which must not move until the response has been
/// written. Reused for later streams.
final class PushStream {
    private(set) var number: Int32 = 0
    var request = PushRequest()
    var timer: EventLoop.Timer?
    private(set) var isOpen = false
    /// Whether the stream was answered, or reset by the simulator. How it ends no longer matters.
    var isFinished = false

    private static let statusLength = 3
    /// The values of ":status", "apns-id" and "apns-unique-id", one after the other.
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: statusLength + 2 * PushID.textLength, alignment: 1)
    private var body: [UInt8] = []
    private var written = 0

    deinit { memory.deallocate() }

    func open(_ number: Int32) {
        self.number = number
        isOpen = true
        isFinished = false
        request.removeAll()
        written = 0
        body.removeAll(keepingCapacity: true)
    }

    func close(on loop: EventLoop) {
        isOpen = false
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    var statusText: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<Self.statusLength]) }
    var idText: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: idMemory) }
    var uniqueIDText: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: uniqueIDMemory) }
    var hasBody: Bool { !body.isEmpty }

    private var idMemory: Slice<UnsafeMutableRawBufferPointer> {
        memory[Self.statusLength..<Self.statusLength + PushID.textLength]
    }
    private var uniqueIDMemory: Slice<UnsafeMutableRawBufferPointer> {
        memory[(Self.statusLength + PushID.textLength)...]
    }

    /// Prepares the response. `status` has three digits. The id is echoed unchanged; a generated one is upper-case, as
    /// at Apple.
    func compose(status: Int, echo: ArraySlice<UInt8>?, generated: () -> PushID, uniqueID: PushID?, body text: String?)
    {
        memory[0] = UInt8(ascii: "0") + UInt8(status / 100 % 10)
        memory[1] = UInt8(ascii: "0") + UInt8(status / 10 % 10)
        memory[2] = UInt8(ascii: "0") + UInt8(status % 10)
        let target = UnsafeMutableRawBufferPointer(rebasing: idMemory)
        if let echo, echo.count == PushID.textLength {
            target.copyBytes(from: echo)
        } else {
            generated().write(into: target, digits: HexDigit.upper)
        }
        uniqueID?.write(into: UnsafeMutableRawBufferPointer(rebasing: uniqueIDMemory), digits: HexDigit.lower)
        if let text { body.append(contentsOf: text.utf8) }
    }

    func writeBody(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        let count = min(buffer.count, body.count - written)
        buffer.copyBytes(from: body[written..<written + count])
        written += count
        return (count, written == body.count)
    }
}
