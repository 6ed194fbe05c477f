import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The meaning of an answer to a request about the installation.
struct RegistrationOutcome {
    /// The request is not sent again.
    private(set) var isDone = false
    /// The server has retired the device, or does not have it.
    private(set) var isUnregistered = false
    /// The app verifies identities, and the person's signature is missing or wrong.
    private(set) var isPersonRefused = false
    /// Seconds to wait before the next request.
    private(set) var delay: TimeInterval?

    init(
        _ result: TransportResult, to request: RegistrationChain.Request, at date: Date, retry: inout RetryPolicy,
        report: (Diagnostic) -> Void
    ) {
        var generator = SystemRandomNumberGenerator()
        guard case .answer(let answer) = result else {
            if case .retry(let seconds) = retry.received(.transportError, at: date, using: &generator) {
                delay = seconds
            }
            return
        }
        if answer.status == 404, answer.code == "device-not-found" {
            isUnregistered = true
            // Somebody who is unknown is logged out already. An update follows the registration.
            isDone = request.work == .logOut
            return
        }
        // Not a wrong key: the device is registered without the person.
        if answer.status == 403, answer.code == "identity-unverified", request.members["user_id"]?.string != nil {
            isPersonRefused = true
            report(answer.diagnostic(.refused))
            return
        }
        switch retry.received(answer.outcome, at: date, using: &generator) {
        case .done:
            isDone = true
            read(answer, to: request, report)
        case .drop, .split:
            isDone = true
            report(answer.diagnostic(.refused))
        case .stop: report(answer.diagnostic(.configuration))
        case .retry(let seconds): delay = seconds
        case .nothing: break
        }
    }

    private mutating func read(
        _ answer: TransportResult.Answer, to request: RegistrationChain.Request, _ report: (Diagnostic) -> Void
    ) {
        let stored = answer.json
        let isRetired = stored?["registered"]?.bool == false
        // The answer to a registration that leaves the device retired: only a new token helps, so it is not repeated.
        if isRetired, case .register = request.work {
            report(
                Diagnostic(
                    .warning, "not-registered",
                    "The server did not register the device: another installation has its token now."))
        } else {
            isUnregistered = isRetired
        }
        for warning in stored?["warnings"]?.array ?? [] {
            report(
                Diagnostic(
                    .warning, warning["code"]?.string ?? "warning",
                    ["path", "message"].compactMap { warning[$0]?.string }.joined(separator: " ")))
        }
    }
}

extension BelfryConfiguration {
    func request(_ request: RegistrationChain.Request, of installation: String) -> URLRequest {
        let body = try? JSONEncoder().encode(request.body)
        return switch request.work {
        case .logOut: self.request("POST", ["devices", installation, "logout"], body: body)
        case .update: self.request("PATCH", ["devices", installation], body: body)
        case .register(let kind):
            self.request(
                "PUT", ["devices", installation],
                query: [("kind", kind.name == TokenKind.alert.name ? nil : kind.name), ("activity", kind.activity)],
                body: body)
        }
    }
}
