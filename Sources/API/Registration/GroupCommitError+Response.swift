import Application
import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// Runs `read`, and throws its problems or its syntax error as an `APIError`.
    static func checking<Body>(
        _ read: () throws(Malformed) -> (body: Body, problems: [Problem])
    ) throws(APIError) -> Body {
        let result: (body: Body, problems: [Problem])
        do throws(Malformed) {
            result = try read()
        } catch {
            throw .invalidJSON("\(error.message) (at byte \(error.offset))")
        }
        guard result.problems.isEmpty else { throw APIError(problems: result.problems) }
        return result.body
    }
}

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
