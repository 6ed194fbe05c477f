import EventLoop
import Logging

/// Logs once that Apple refuses all pushes of a credential because of the credential or of itself, and once that it
/// accepts them again.
struct RefusalLog {
    /// Pushes in a row that Apple could not handle, before that is an outage: one now and then is normal.
    static let errorsBeforeOutage = 10

    private var errors = 0
    private var outage = Outage(firstReminder: APNSEndpoint.firstReminder)

    mutating func note(_ window: PushWindow, _ reasons: ReasonTable, in logger: Logger) {
        guard !window.hasAccepted else {
            errors = 0
            return outage.succeeded("Apple accepts pushes of the credential again", in: logger)
        }
        var refusal: PushResult?
        for index in 0..<window.count {
            let result = window.results[index]
            if result.reaction?.blamesCredential == true {
                errors = Self.errorsBeforeOutage
            } else if result.action == .retryLater {
                errors = min(errors + 1, Self.errorsBeforeOutage)
            } else {
                continue
            }
            refusal = result
        }
        guard let refusal, errors == Self.errorsBeforeOutage else { return }
        outage.failed("Apple refuses all pushes", because: reasons.text(refusal.reason), in: logger)
    }
}
