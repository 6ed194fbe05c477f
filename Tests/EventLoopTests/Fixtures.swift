import EventLoop
import Glibc
import TestSupport

/// Runs `body` in a task that prefers a loop of its own, and ends the loop afterwards.
///
/// `@concurrent` matters: Swift 6.3 drops the hop in front of a closure of the default kind,
/// `nonisolated(nonsending)`, and it would begin on the caller's thread.
func withLoop<Result: Sendable>(
    _ name: String = "test", _ body: @concurrent @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop(name: name)
    defer { loop.stop() }
    return try await withTaskExecutorPreference(loop) { try await body(loop) }
}

extension EventLoop {
    /// Runs `body` on the loop from any thread and returns its result.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            perform { continuation.resume(returning: body()) }
        }
    }

    /// Returns when the loop has completed at least `count` more iterations. Call it on the loop.
    func turns(_ count: Int) async {
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                _ = schedule(after: .zero) { continuation.resume() }
            }
        }
    }
}

/// Counts on one loop, and lets one task wait for a number.
///
/// `@unchecked Sendable`: it is used on its loop only.
final class Tally: @unchecked Sendable {
    private(set) var count = 0
    private var target = 0
    private var waiter: CheckedContinuation<Void, Never>?

    func add() {
        count += 1
        guard count == target else { return }
        waiter?.resume()
        waiter = nil
    }

    /// Everything happens in the continuation: a caller without isolation reaches it one iteration of the loop later.
    func reaches(_ number: Int) async {
        await withCheckedContinuation { continuation in
            if count >= number { return continuation.resume() }
            target = number
            waiter = continuation
        }
    }
}

/// Polls a condition that only the kernel knows, for up to half a minute.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = MonotonicTime.now() + .seconds(30) * TestTimeouts.factor
    while !condition() {
        guard MonotonicTime.now() < deadline else { return false }
        await Task.yield()
    }
    return true
}

/// The names in a directory of /proc.
func entries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// The number of threads of this process that have the name, of which Linux keeps 15 bytes.
func threads(named name: String) -> Int {
    entries("/proc/self/task").count { task in
        guard let file = fopen("/proc/self/task/\(task)/comm", "r") else { return false }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 64)
        let length = fread(&line, 1, line.count, file)
        return String(decoding: line.prefix(length), as: UTF8.self) == name + "\n"
    }
}
