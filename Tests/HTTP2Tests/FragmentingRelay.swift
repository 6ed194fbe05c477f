import EventLoop

/// Carries bytes between two sockets in pieces of chosen sizes, so that frames are cut everywhere.
final class FragmentingRelay {
    private let sockets: [Socket]
    private let pieceSize: () -> Int
    private var watches: [Watch] = []
    /// The bytes to write to each socket.
    private var pending: [[UInt8]] = [[], []]
    /// The sockets whose peers have finished sending.
    private var isEnded = [false, false]

    init(_ first: Socket, _ second: Socket, on loop: EventLoop, pieceSize: @escaping () -> Int) {
        sockets = [first, second]
        self.pieceSize = pieceSize
        for socket in sockets { watches.append(loop.watch(socket.descriptor) { [unowned self] _ in pump() }) }
        for watch in watches { watch.interest = .read }
    }

    func close() {
        for watch in watches { watch.cancel() }
        for socket in sockets { socket.close() }
    }

    private func pump() {
        for from in 0...1 { move(from: from, to: 1 - from) }
        for side in 0...1 {
            var interest: Interest = []
            if !isEnded[side] && pending[1 - side].isEmpty { interest.insert(.read) }
            if !pending[side].isEmpty { interest.insert(.write) }
            watches[side].interest = interest
        }
    }

    private func move(from: Int, to: Int) {
        do {
            if pending[to].isEmpty && !isEnded[from] { try read(from: from, to: to) }
            guard !pending[to].isEmpty else { return }
            let written = try pending[to].withUnsafeBytes { try sockets[to].write($0) }
            if case .bytes(let count) = written { pending[to].removeFirst(count) }
        } catch {
            // The other side has gone: what was for it is lost.
            pending[to] = []
            isEnded[from] = true
        }
    }

    private func read(from: Int, to: Int) throws {
        var piece = [UInt8](repeating: 0, count: max(1, pieceSize()))
        switch try piece.withUnsafeMutableBytes({ try sockets[from].read(into: $0) }) {
        case .bytes(let count): pending[to] = Array(piece.prefix(count))
        case .wouldBlock: return
        case .end:
            isEnded[from] = true
            sockets[to].shutdownWriting()
        }
    }
}
