import BelfryKit

/// The session of the app's own account. Its server makes the signature, if the app verifies identities: the key must not
/// be in the app.
struct Session {
    let user: String
    /// Stored with the session, because a launch without a network needs it, too.
    let signature: String?

    /// Call it at each launch with a session, after `start`, and when the person logs in.
    func logIn() {
        Belfry.shared.logIn(user, signature: signature, person: ["attributes": ["plan": "gold"]])
    }
}

/// The place of the app's own server and storage, which this sample does not have.
extension Session {
    static var stored: Session? { nil }

    static func open(by user: String) async -> Session? { Session(user: user, signature: nil) }
}
