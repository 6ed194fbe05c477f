public import Application
public import Campaigns
import Store

/// Takes transactional pushes and sends them. The API knows no dispatcher: whoever builds the process hands it one.
public protocol Pusher: Sendable {
    /// Returns when the request is stored.
    func send(_ request: PushRequest) async throws(GroupCommitError) -> PushAnswer
}
