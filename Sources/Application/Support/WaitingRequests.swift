/// What one caller of a group commit waits for: a request, or a part of a list. Used by the commit's actor only.
enum WaitingRequests<Request: Sendable, Answer: Sendable> {
    case one(Request, UnsafeContinuation<Result<Answer, GroupCommitError>, Never>)
    /// The indices are those of the list.
    case list(ArraySlice<Request>, ListAnswers<Answer>)

    func append(to requests: inout [Request]) {
        switch self {
        case .one(let request, _): requests.append(request)
        case .list(let part, _): requests += part
        }
    }

    /// Nil for a single request.
    var halves: (Self, Self)? {
        guard case .list(let part, let answers) = self, part.count > 1 else { return nil }
        let middle = part.startIndex + part.count / 2
        return (.list(part[..<middle], answers), .list(part[middle...], answers))
    }

    /// `answers` begin with those to these requests.
    func succeed(takingFrom answers: inout ArraySlice<Answer>) {
        switch self {
        case .one(_, let continuation):
            if let answer = answers.popFirst() { continuation.resume(returning: .success(answer)) }
        case .list(let part, let list):
            for index in part.indices { if let answer = answers.popFirst() { list.set(.success(answer), at: index) } }
        }
    }

    /// `all`: the error is about the whole list.
    func refuse(_ error: any Error, all: Bool) {
        guard !all, case .list(let part, let list) = self else { return fail(.refused(error)) }
        for index in part.indices { list.set(.failure(RefusedRequest(reason: error)), at: index) }
    }

    /// Fails the whole list.
    func fail(_ error: GroupCommitError) {
        switch self {
        case .one(_, let continuation): continuation.resume(returning: .failure(error))
        case .list(_, let list): list.fail(error)
        }
    }
}

/// Collects the answers to the parts of a list. Used by the commit's actor only.
final class ListAnswers<Answer: Sendable> {
    typealias Outcome = Result<[Result<Answer, RefusedRequest>], GroupCommitError>

    private var results: [Result<Answer, RefusedRequest>?]
    private var missing: Int
    /// Nil once the caller has its answer.
    private var continuation: UnsafeContinuation<Outcome, Never>?

    init(count: Int, _ continuation: UnsafeContinuation<Outcome, Never>) {
        results = Array(repeating: nil, count: count)
        missing = count
        self.continuation = continuation
    }

    func set(_ result: Result<Answer, RefusedRequest>, at index: Int) {
        results[index] = result
        missing -= 1
        if missing == 0 { finish(.success(results.compactMap { $0 })) }
    }

    /// Other parts may still be waiting; what becomes of them is not told any more.
    func fail(_ error: GroupCommitError) { finish(.failure(error)) }

    private func finish(_ outcome: Outcome) {
        continuation?.resume(returning: outcome)
        continuation = nil
    }
}
