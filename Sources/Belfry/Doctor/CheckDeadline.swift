import EventLoop
import Foundation

/// A check did not end in time.
struct CheckTimedOut: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "no answer within \(Int(limit.seconds)) s" }
}

/// Runs what may take too long.
enum CheckDeadline {
    /// Cancels the body after `limit`; its waits must end then.
    static func run<Value: Sendable>(
        _ limit: Duration, on loop: EventLoop, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        await withTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask(executorPreference: loop) {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask(executorPreference: loop) {
                // Cancelled: the body has ended.
                do { try await loop.sleep(for: limit) } catch { return nil }
                return .failure(CheckTimedOut(limit: limit))
            }
            defer { group.cancelAll() }
            while let result = await group.next() { if let result { return result } }
            return .failure(CheckTimedOut(limit: limit))
        }
    }

    /// For system calls, which nothing can cancel: one about a file can last for ever if its server is gone. Its thread
    /// is left behind then, and ends with the process.
    static func runBlocking<Value: Sendable>(
        _ limit: Duration, on loop: EventLoop, _ body: @escaping @Sendable () -> Value
    ) async -> Result<Value, any Error> {
        await run(limit, on: loop) {
            let (values, continuation) = AsyncStream<Value>.makeStream()
            Thread.detachNewThread {
                continuation.yield(body())
                continuation.finish()
            }
            for await value in values { return value }
            throw CancellationError()
        }
    }
}
