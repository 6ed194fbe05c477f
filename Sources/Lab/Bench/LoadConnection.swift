import EventLoop

/// A keep-alive connection with one request in flight. It reads only the status and the length of a response, because
/// the load generator shares the machine with the server that it measures.
///
/// Use it on its loop only.
final class LoadConnection {
    /// Returns the next request's bytes, or nil when there are no more requests.
    typealias Next = () -> [UInt8]?

    enum Failure: Error {
        case refused(status: Int, answer: String)
        case closed
        case broken(SystemError)
    }

    private let socket: Socket
    private let watch: Watch
    private let next: Next
    private let done: (Failure?) -> Void
    private var request: [UInt8] = []
    private var sent = 0
    private var answer: [UInt8] = []
    private var input = [UInt8](repeating: 0, count: 4_096)
    private var hasEnded = false

    /// Calls `done` once, after the last request or a failure. The connection is closed then.
    static func start(_ socket: Socket, on loop: EventLoop, next: @escaping Next, done: @escaping (Failure?) -> Void) {
        LoadConnection(socket, on: loop, next: next, done: done).begin()
    }

    private init(_ socket: Socket, on loop: EventLoop, next: @escaping Next, done: @escaping (Failure?) -> Void) {
        self.socket = socket
        self.next = next
        self.done = done
        var ready: (Interest) -> Void = { _ in }
        watch = loop.watch(socket.descriptor) { ready($0) }
        // The watch retains the connection until `end`.
        ready = { [self] in becameReady($0) }
    }

    private func begin() {
        guard let bytes = next() else { return end(nil) }
        request = bytes
        sent = 0
        answer.removeAll(keepingCapacity: true)
        write()
    }

    private func write() {
        do throws(SystemError) {
            while sent < request.count {
                let result = try request.withUnsafeBufferPointer { bytes throws(SystemError) in
                    try socket.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[sent...])))
                }
                guard case .bytes(let count) = result else { break }
                sent += count
            }
            watch.interest = sent < request.count ? [.read, .write] : .read
        } catch {
            end(.broken(error))
        }
    }

    private func becameReady(_ interest: Interest) {
        if interest.contains(.write) { write() }
        if interest.contains(.read) { read() }
    }

    private func read() {
        do throws(SystemError) {
            let result = try input.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                try socket.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            switch result {
            case .bytes(let count):
                answer.append(contentsOf: input[..<count])
                readResponse()
            case .wouldBlock: break
            case .end: end(.closed)
            }
        } catch {
            end(.broken(error))
        }
    }

    /// Continues with the next request once the response is complete.
    private func readResponse() {
        guard let length = AnswerLength.of(answer), answer.count >= length else { return }
        let status = answer[9..<12].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard 200..<300 ~= status else {
            return end(.refused(status: status, answer: String(decoding: answer.prefix(500), as: UTF8.self)))
        }
        begin()
    }

    private func end(_ failure: Failure?) {
        guard !hasEnded else { return }
        hasEnded = true
        watch.cancel()
        socket.close()
        done(failure)
    }
}

/// Computes the length of a response with a Content-Length.
private enum AnswerLength {
    private static let field = Array("\r\ncontent-length: ".utf8)

    /// Returns nil while the head is incomplete.
    static func of(_ answer: [UInt8]) -> Int? {
        answer.withUnsafeBufferPointer { bytes in
            var length = 0
            var index = 12
            while index + 3 < bytes.count {
                guard bytes[index] == 0x0D else {
                    index += 1
                    continue
                }
                if bytes[index + 2] == 0x0D { return index + 4 + length }
                if let value = value(bytes, at: index) { length = value }
                index += 2
            }
            return nil
        }
    }

    private static func value(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard start + field.count < bytes.count else { return nil }
        for (offset, byte) in field.enumerated() where bytes[start + offset] | 0x20 != byte | 0x20 { return nil }
        var value = 0
        for byte in bytes[(start + field.count)...] {
            guard 0x30...0x39 ~= byte else { break }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
