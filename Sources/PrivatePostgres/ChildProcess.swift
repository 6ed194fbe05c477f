import CLinux
import EventLoop
import Glibc

/// A child process in its own process group, so that Ctrl-C at the terminal reaches only the parent.
struct ChildProcess {
    /// The interval at which a wait checks for the exit.
    static let pollInterval = Duration.milliseconds(10)

    let id: pid_t

    /// Both outputs go to the descriptor, or nowhere. PDEATHSIG watches the calling thread, so that
    /// thread must live as long as the child.
    static func spawn(_ arguments: [String], output: Int32? = nil) throws(LocalClusterError) -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // The child must not inherit blocked or ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        // The server's messages are always in English.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=\(path)"), strdup("LC_ALL=C.UTF-8"), nil]
        defer { for pointer in argumentPointers + environment { free(pointer) } }
        var id = pid_t()
        let status = posix_spawnp(&id, arguments[0], &actions, &attributes, &argumentPointers, &environment)
        guard status == 0 else {
            throw .cannotStart(arguments[0], reason: String(cString: strerror(status)))
        }
        return ChildProcess(id: id)
    }

    func send(_ signal: Int32) {
        // A process that has ended stays a zombie until `exitStatus`, so its id can't be reused.
        _ = kill(id, signal)
    }

    /// The exit status in the format of `wait`, or nil if the process is running. Call it until it returns a status.
    func exitStatus() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == 0 ? nil : status
    }

    /// Waits for the exit; returns nil if the process is still running after `time`. Ignores cancellation.
    func waitForExit(on loop: EventLoop, within time: Duration) async -> Int32? {
        let end = MonotonicTime.now() + time
        while true {
            if let status = exitStatus() { return status }
            guard .now() < end else { return nil }
            await loop.pause(Self.pollInterval)
        }
    }

    /// Whether the process ends without an error. One that takes longer is killed.
    func succeeds(on loop: EventLoop, within time: Duration) async -> Bool {
        if let status = await waitForExit(on: loop, within: time) { return status == 0 }
        send(SIGKILL)
        _ = await waitForExit(on: loop, within: time)
        return false
    }
}

extension EventLoop {
    /// Pauses, even in a cancelled task.
    func pause(_ duration: Duration) async {
        await withUnsafeContinuation { continuation in
            perform { _ = self.schedule(after: duration) { continuation.resume() } }
        }
    }
}
