import EventLoop
import ServiceLifecycle

/// Writes the counts of repeated lines when their minute is over, also while nothing else is logged.
struct LogCounts: Service, CustomStringConvertible {
    private static let pause = Duration.seconds(5)

    let output: LogOutput

    var description: String { "log" }

    func run() async throws {
        let loop = try EventLoop(name: "log")
        await cancelWhenGracefulShutdown {
            await withTaskExecutorPreference(loop) {
                while !Task.isCancelled {
                    do { try await loop.sleep(for: Self.pause) } catch { break }
                    output.writeDueCounts()
                }
            }
        }
        loop.stop()
    }
}
