/// Pushes that leave their window before they are answered, so that a few late answers do not hold up the window.
///
/// The function is called on the client's loop.
public struct LatePushes: Sendable {
    /// The window, by the number that it was reset with, and the index of the push in it.
    public struct ID: Hashable, Sendable {
        public let window: Int
        public let index: Int

        public init(window: Int, index: Int) {
            self.window = window
            self.index = index
        }
    }

    /// Called once for each push that has left, with its result.
    let resolved: @Sendable (ID, PushResult) -> Void

    public init(resolved: @escaping @Sendable (ID, PushResult) -> Void) {
        self.resolved = resolved
    }
}
