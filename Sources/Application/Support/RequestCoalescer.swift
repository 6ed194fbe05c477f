import EventLoop

/// Reads for several callers with one statement. A request that arrives while the maximum number of statements is in
/// progress waits, and waiting requests share the next one. The longest-waiting caller executes it for all of them.
actor RequestCoalescer<Request: Sendable, Answer: Sendable> {
    typealias Perform = @Sendable ([Request]) async throws -> [Answer]

    private enum Turn: Sendable {
        case answer(Result<Answer, any Error>)
        /// This request is the first of the next group.
        case lead
    }

    private struct Waiting {
        let request: Request
        let continuation: UnsafeContinuation<Turn, Never>
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let perform: Perform
    private let maximumConcurrentGroups: Int
    private let groupSize: Int
    private var inFlight = 0
    private var waiting: [Waiting] = []

    /// `groupSize` is in requests.
    init(maximumConcurrentGroups: Int, groupSize: Int, on loop: EventLoop, perform: @escaping Perform) {
        self.maximumConcurrentGroups = maximumConcurrentGroups
        self.groupSize = groupSize
        self.loop = loop
        self.perform = perform
    }

    nonisolated func submit(_ request: Request) async throws -> Answer {
        try await loop.preferred { try await take(request) }
    }

    private func take(_ request: Request) async throws -> Answer {
        if inFlight < maximumConcurrentGroups {
            inFlight += 1
        } else {
            let turn = await withUnsafeContinuation { waiting.append(Waiting(request: request, continuation: $0)) }
            if case .answer(let result) = turn { return try result.get() }
        }
        return try await lead(request)
    }

    /// Executes a group with this request first. Its slot among the concurrent groups passes to the longest-waiting
    /// request.
    private func lead(_ request: Request) async throws -> Answer {
        let group = waiting.prefix(groupSize - 1)
        waiting.removeFirst(group.count)
        let result: Result<[Answer], any Error>
        do {
            result = .success(try await perform([request] + group.map(\.request)))
        } catch {
            result = .failure(error)
        }
        for (index, member) in group.enumerated() {
            member.continuation.resume(returning: .answer(result.map { $0[index + 1] }))
        }
        if waiting.isEmpty {
            inFlight -= 1
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
        return try result.get()[0]
    }
}
