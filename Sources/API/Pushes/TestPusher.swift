public import Campaigns

/// Sends test pushes and waits for Apple's responses. The process provides the implementation, because the API doesn't
/// depend on the dispatcher.
public protocol TestPusher: Sendable {
    /// A result for each push, in the same order.
    func send(_ pushes: [TestPush], of app: App.ID, _ options: PushOptions) async throws -> [TestPushResult]
}
