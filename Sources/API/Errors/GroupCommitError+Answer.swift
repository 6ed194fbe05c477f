import Application

extension GroupCommit {
    /// Submits the request, and turns a `GroupCommitError` into an error for the client.
    func answer(to request: Request, weight: Int = 1) async throws -> Answer {
        do throws(GroupCommitError) {
            return try await submit(request, weight: weight)
        } catch {
            throw error.answer
        }
    }
}

extension GroupCommit {
    /// Submits many requests, each of which is stored or refused independently.
    func answers(to requests: [Request]) async throws -> [Result<Answer, RefusedRequest>] {
        do throws(GroupCommitError) {
            return try await submit(all: requests)
        } catch {
            throw error.answer
        }
    }
}

extension GroupCommitError {
    /// The error for the client.
    var answer: any Error {
        switch self {
        case .full:
            APIError.overloaded
        case .stopping:
            APIError.shuttingDown
        case .unavailable:
            APIError.databaseUnavailableForGroup
        case .refused(let reason): reason
        }
    }
}
