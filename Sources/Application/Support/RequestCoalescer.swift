import EventLoop

/// Reads for several callers by one statement. A request that comes while as many statements as allowed are under way
/// waits, and those that wait share the next. Nobody runs this: whoever waits longest carries it out for all.
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
    private let groupsUnderWay: Int
    private let groupSize: Int
    private var underWay = 0
    private var waiting: [Waiting] = []

    /// `groupSize` is in requests.
    init(groupsUnderWay: Int, groupSize: Int, on loop: EventLoop, perform: @escaping Perform) {
        self.groupsUnderWay = groupsUnderWay
        self.groupSize = groupSize
        self.loop = loop
        self.perform = perform
    }

    func submit(_ request: Request) async throws -> Answer {
        if underWay < groupsUnderWay {
            underWay += 1
        } else {
            let turn = await withUnsafeContinuation { waiting.append(Waiting(request: request, continuation: $0)) }
            if case .answer(let result) = turn { return try result.get() }
        }
        return try await lead(request)
    }

    /// The leader's place among those under way is its own, and goes to who waits longest.
    private func lead(_ request: Request) async throws -> Answer {
        let group = waiting.prefix(groupSize - 1)
        waiting.removeFirst(group.count)
        let result: Result<[Answer], any Error>
        do {
            result = .success(try await perform([request] + group.map(\.request)))
        } catch {
            result = .failure(error)
        }
        for (place, member) in group.enumerated() {
            member.continuation.resume(returning: .answer(result.map { $0[place + 1] }))
        }
        if waiting.isEmpty {
            underWay -= 1
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
        return try result.get()[0]
    }
}
