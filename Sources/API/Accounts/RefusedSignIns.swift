import Administration
import Campaigns
import EventLoop
import HTTPServer
import Store

/// Records wrong passwords in the audit log.
///
/// The limit is the same for accounts that exist and others, so that the time of an answer tells nothing. Beyond it,
/// attempts are refused without a record: what guessing can fill the log with is bounded.
final class RefusedSignIns: Sendable {
    static let rule = TokenBucket.Rule(burst: 100, every: .seconds(10))

    private let audit: AuditStore
    private let bucket = Lock(TokenBucket(at: .now()))

    init(audit: AuditStore) {
        self.audit = audit
    }

    /// `user` is the person whose password it was not; nil for an unknown account, whose e-mail address is not
    /// recorded: it could be a password in the wrong field.
    func record(_ user: User.ID?, _ request: Request) async throws {
        let isRecorded = bucket.withLock { bucket in
            let now = MonotonicTime.now()
            guard bucket.delay(Self.rule, at: now) == .zero else { return false }
            bucket.use(Self.rule, at: now)
            return true
        }
        guard isRecorded else { return }
        try await audit.add(
            AuditEntry(
                actor: AuditEntry.Actor(.nobody, name: "not signed in"), action: "session.refuse",
                resource: user.map { "/v1/users/\($0)" } ?? "/v1/session", address: request.clientAddress.host,
                requestID: request.id))
    }
}
