public import Campaigns

/// Sends pushes for somebody who tries something out, and waits for Apple's answers. The API knows no dispatcher:
/// whoever builds the process hands it one.
public protocol TestPusher: Sendable {
    /// An answer for each push, in their order.
    func send(_ pushes: [TestPush], of app: App.ID, _ options: PushOptions) async throws -> [TestPushAnswer]
}
