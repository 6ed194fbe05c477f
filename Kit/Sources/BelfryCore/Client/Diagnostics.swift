import Foundation

/// Hands diagnostics to whoever reads them, each once: a mistake that every request shows is one line.
package final class Diagnostics: Sendable {
    /// Diagnostics that wait for a reader, and that are remembered as reported; older ones are forgotten.
    static let limit = 100

    let stream: AsyncStream<Diagnostic>
    private let continuation: AsyncStream<Diagnostic>.Continuation
    private let reported = Guarded<[Diagnostic]>([])
    private let log: @Sendable (Diagnostic) -> Void

    /// `log` sees what the stream has, on the thread that reports it: an extension ends before anybody reads a stream.
    package init(log: @escaping @Sendable (Diagnostic) -> Void = { _ in }) {
        self.log = log
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.limit))
    }

    package func report(_ diagnostic: Diagnostic) {
        let isNew = reported.withLock { known in
            guard !known.contains(diagnostic) else { return false }
            known.append(diagnostic)
            if known.count > Self.limit { known.removeFirst() }
            return true
        }
        guard isNew else { return }
        continuation.yield(diagnostic)
        log(diagnostic)
    }
}
