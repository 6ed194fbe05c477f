import Application
import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// Puts what a reader found into an answer.
    static func refusing<Body>(
        _ read: () throws(Malformed) -> (body: Body, problems: [Problem])
    ) throws(APIError) -> Body {
        let result: (body: Body, problems: [Problem])
        do throws(Malformed) {
            result = try read()
        } catch {
            throw .badRequest("invalid-json", "The body is not JSON: \(error.message) (at byte \(error.offset)).")
        }
        guard result.problems.isEmpty else { throw APIError(problems: result.problems) }
        return result.body
    }
}

extension GroupCommit {
    /// Submits the request, and puts what kept it from being stored into an answer.
    func answer(to request: Request, weight: Int = 1) async throws -> Answer {
        do throws(GroupCommitError) {
            return try await submit(request, weight: weight)
        } catch {
            throw error.answer
        }
    }
}

extension RegistrationCommit {
    /// The same for many, each of which is stored or refused by itself.
    func answers(
        to registrations: [Registration]
    ) async throws -> [Result<RegistrationStore.Outcome, RefusedRegistration>] {
        do throws(GroupCommitError) {
            return try await submit(all: registrations)
        } catch {
            throw error.answer
        }
    }
}

extension GroupCommitError {
    /// Seconds.
    private static let retryAfter = 1

    /// The error that says it to whoever asked.
    var answer: any Error {
        switch self {
        case .full:
            APIError.unavailable(
                "too-busy", "More is coming in than can be stored at the moment. Please send it again shortly.",
                retryAfter: Self.retryAfter)
        case .stopping:
            APIError.unavailable(
                "stopping", "This server is about to stop. Please send it again.", retryAfter: Self.retryAfter)
        case .unavailable:
            APIError.unavailable(
                "database-unavailable", "The database can't be reached at the moment. Send the request again.",
                retryAfter: ErrorRendering.retryAfterSeconds)
        case .refused(let reason): reason
        }
    }
}
