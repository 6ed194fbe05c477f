import Belfry
import EventLoop
import Foundation

/// The state directory and the loop of a benchmark. The directory is removed at the end.
enum BenchScratch {
    /// Runs the body on the loop, with the settings of a process with that directory.
    static func run<Result: Sendable>(
        _ name: String, _ body: @Sendable (Settings, EventLoop) async throws -> Result
    ) async throws -> Result {
        let scratch = try TemporaryDirectory(name)
        defer { scratch.remove() }
        var settings = Settings()
        settings.stateDirectory = scratch.path
        let loop = try EventLoop(name: "bench")
        defer { loop.stop() }
        return try await withTaskExecutorPreference(loop) { [settings] in try await body(settings, loop) }
    }
}
