public import Application
public import Campaigns
import Store

/// Stores transactional pushes and sends them. The process provides the implementation, because the API doesn't depend
/// on the dispatcher.
public protocol Pusher: Sendable {
    /// Returns after the request has been stored.
    func send(_ request: PushRequest) async throws(GroupCommitError) -> PushSubmission
}
