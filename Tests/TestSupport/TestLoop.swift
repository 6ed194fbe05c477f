public import EventLoop

/// A loop for one test.
public enum TestLoop {
    /// Runs the body in a task that prefers the loop, and stops the loop afterwards.
    public static func run(_ name: String = "test", _ body: (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: name)
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) { try await body(loop) }
    }
}
