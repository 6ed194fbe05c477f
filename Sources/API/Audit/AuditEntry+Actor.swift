import Administration
import Campaigns
import EventLoop
import HTTPServer
import Store

extension AuditStore {
    /// Records that somebody has just signed in.
    func record(_ action: String, by signedIn: SignedInUser, _ request: Request) async throws {
        try await add(
            AuditEntry(
                actor: signedIn.actor, action: action, resource: "/v1/session", address: request.clientAddress.host,
                requestID: request.id))
    }
}

extension Caller {
    var actor: AuditEntry.Actor {
        switch self {
        case .key(let key): AuditEntry.Actor(.key, id: key.id.rawValue, name: "\(key.name) (\(key.prefix))")
        case .person(let signedIn, _): signedIn.actor
        }
    }
}

extension SignedInUser {
    fileprivate var actor: AuditEntry.Actor {
        AuditEntry.Actor(.user, id: user.id.rawValue, name: user.email.text)
    }
}
