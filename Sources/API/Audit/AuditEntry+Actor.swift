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
    /// With the name of the assistant that acts for the caller.
    var actor: AuditEntry.Actor {
        let actor =
            switch self {
            case .key(let key): AuditEntry.Actor(.key, id: key.id.rawValue, name: "\(key.name) (\(key.prefix))")
            case .person(let signedIn, _): signedIn.actor
            }
        guard let assistant = Assistant.name else { return actor }
        return AuditEntry.Actor(actor.kind, id: actor.id, name: "\(actor.name), by \(assistant)")
    }
}

extension SignedInUser {
    fileprivate var actor: AuditEntry.Actor {
        AuditEntry.Actor(.user, id: user.id.rawValue, name: user.email.text)
    }
}
