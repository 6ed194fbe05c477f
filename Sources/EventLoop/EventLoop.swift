import CLinux
import Glibc
import Synchronization

/// A Swift executor: one thread with an epoll set, a wake-up descriptor and timers.
///
/// A socket belongs to an actor that is pinned to a loop by `unownedExecutor` and works in tasks that
/// prefer the loop (`withTaskExecutorPreference(loop)`): only then does a resume stay on the
/// thread. In a task without that preference each resume goes through the global pool and costs
/// about 30 µs instead of 2.
///
/// `@unchecked Sendable`: all state but `shared` is touched by the loop's own thread only.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// epoll events taken per system call.
    static let eventsPerPoll = 256

    public let name: String

    private struct Shared {
        var jobs: [UnownedJob] = []
        var calls: [@Sendable () -> Void] = []
        var crossings = 0
        var isAsleep = false
        var isStopping = false
    }

    private let shared = Lock(Shared())
    private let epoll: Int32
    private let wakeUp: Int32
    /// 0 again once the thread has ended: the C library soon gives its id to another one.
    private let threadID = Atomic<pthread_t>(0)
    /// Written once, by the thread itself, before `init` returns.
    private var clock = clockid_t()

    private var jobs: [UnownedJob] = []
    private var running: [UnownedJob] = []
    private var hasEnded = false
    private var timers = TimerQueue()
    private var watches: [Watch?] = []
    private var generations: [UInt32] = []
    private var freeWatches: [Int] = []
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: EventLoop.eventsPerPoll)

    public init(name: String) throws(SystemError) {
        self.name = name
        _ = ignoreBrokenPipes
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .current("epoll_create1") }
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0 else {
            let error = SystemError.current("eventfd")
            close(epoll)
            throw error
        }
        guard belfry_epoll_set(epoll, EPOLL_CTL_ADD, wakeUp, EPOLLIN.rawValue, Self.wakeUpKey) == 0 else {
            throw .current("epoll_ctl")
        }
        try startThread()
    }

    deinit {
        close(epoll)
        close(wakeUp)
        events.deallocate()
    }

    /// Ends the thread once its queue is empty. Work that is submitted later never runs, nor does work that
    /// waits for a timer or a descriptor. The descriptors are closed with the last reference.
    public func stop() {
        let mustWake = shared.withLock { shared in
            shared.isStopping = true
            defer { shared.isAsleep = false }
            return shared.isAsleep
        }
        if mustWake { wake() }
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
            return
        }
        let mustWake = shared.withLock { shared in
            shared.jobs.append(job)
            shared.crossings += 1
            defer { shared.isAsleep = false }
            return shared.isAsleep
        }
        if mustWake { wake() }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    public func checkIsolated() {
        precondition(isCurrent, "this must run on the loop \(name)")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool { pthread_self() == threadID.load(ordering: .relaxed) }

    /// Runs `body` on the loop: immediately if the caller is on it, otherwise as soon as the loop is free.
    public func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent {
            body()
            return
        }
        let mustWake = shared.withLock { shared in
            shared.calls.append(body)
            shared.crossings += 1
            defer { shared.isAsleep = false }
            return shared.isAsleep
        }
        if mustWake { wake() }
    }

    /// The number of jobs and calls that other threads have submitted so far. If it does not change while work
    /// runs, that work has not left the loop.
    var crossings: Int { shared.withLock(\.crossings) }

    /// Processor time that the loop's thread has used so far; zero once it has ended.
    public func processorTime() -> Duration {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: Timers, on the loop only

    /// Identifies one scheduled call.
    public struct Timer: Sendable {
        let handle: TimerQueue.Handle
    }

    public func schedule(at deadline: MonotonicTime, _ body: @escaping () -> Void) -> Timer {
        checkIsolated()
        return Timer(handle: timers.add(deadline: deadline, body))
    }

    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
        schedule(at: .now() + delay, body)
    }

    /// Cancels a timer. Has no effect on a timer that has fired.
    public func cancel(_ timer: Timer) {
        checkIsolated()
        guard !hasEnded else { return }
        _ = timers.cancel(timer.handle)
    }

    // MARK: Readiness, on the loop only

    /// Prepares to watch a descriptor; it is watched while `interest` is not empty.
    public func watch(_ descriptor: Int32, _ handler: @escaping (Interest) -> Void) -> Watch {
        checkIsolated()
        let slot = freeWatches.popLast() ?? watches.endIndex
        if slot == watches.endIndex {
            watches.append(nil)
            generations.append(0)
        }
        let key = UInt64(generations[slot]) << 32 | UInt64(slot)
        let watch = Watch(descriptor: descriptor, loop: self, key: key, handler: handler)
        watches[slot] = watch
        return watch
    }

    /// Updates the epoll set. A watch without interest is removed: epoll reports hang-ups even for an empty mask.
    func change(_ watch: Watch, from old: Interest, to new: Interest) {
        checkIsolated()
        let operation = old.isEmpty ? EPOLL_CTL_ADD : new.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
        let status = belfry_epoll_set(epoll, operation, watch.descriptor, new.events, watch.key)
        precondition(status == 0, "\(SystemError.current("epoll_ctl")); a watch must be cancelled before its close")
    }

    func forget(_ watch: Watch) {
        checkIsolated()
        guard !hasEnded else { return }
        let slot = Int(watch.key & 0xffff_ffff)
        watches[slot] = nil
        generations[slot] &+= 1
        freeWatches.append(slot)
    }

    // MARK: The thread

    private static let wakeUpKey = UInt64.max

    private func startThread() throws(SystemError) {
        let started = eventfd(0, Int32(EFD_CLOEXEC))
        guard started >= 0 else { throw .current("eventfd") }
        defer { close(started) }
        let start = Unmanaged.passRetained(ThreadStart(loop: self, started: started))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                start.loop.threadID.store(pthread_self(), ordering: .relaxed)
                pthread_getcpuclockid(pthread_self(), &start.loop.clock)
                belfry_name_thread(start.loop.name)
                var one: UInt64 = 1
                write(start.started, &one, 8)
                start.loop.run()
                start.loop.threadID.store(0, ordering: .relaxed)
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw SystemError(operation: "pthread_create", code: status)
        }
        pthread_detach(thread)
        // read and write instead of eventfd_read: thread sanitizer recognizes only these.
        var count: UInt64 = 0
        while read(started, &count, 8) < 0 && errno == EINTR {}
    }

    private func run() {
        while true {
            let calls = dequeueShared()
            for call in calls { call() }
            runJobs()
            let now = MonotonicTime.now()
            while let body = timers.popDue(at: now) { body() }
            guard poll() else { return releaseRemaining() }
        }
    }

    /// Frees the remaining timers and watches, because they may hold a reference to the loop. What they hold may cancel
    /// timers and watches of its own as it is freed: these are gone by then.
    private func releaseRemaining() {
        hasEnded = true
        var lastTimers = TimerQueue()
        var lastWatches: [Watch?] = []
        swap(&timers, &lastTimers)
        swap(&watches, &lastWatches)
    }

    private func dequeueShared() -> [@Sendable () -> Void] {
        shared.withLock { shared in
            if !shared.jobs.isEmpty {
                jobs.append(contentsOf: shared.jobs)
                shared.jobs.removeAll(keepingCapacity: true)
            }
            defer { shared.calls.removeAll() }
            return shared.calls
        }
    }

    /// Runs the jobs that are queued now. Jobs that they add run after the next poll of the descriptors.
    private func runJobs() {
        swap(&jobs, &running)
        for job in running {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        running.removeAll(keepingCapacity: true)
    }

    /// Waits for descriptors and calls their handlers. Returns false when the loop must end.
    private func poll() -> Bool {
        let mayWait = shared.withLock { shared -> Bool? in
            let isIdle = jobs.isEmpty && shared.jobs.isEmpty && shared.calls.isEmpty
            if isIdle && shared.isStopping { return nil }
            shared.isAsleep = isIdle
            return isIdle
        }
        guard let mayWait else { return false }
        let count = epoll_wait(epoll, events, Int32(Self.eventsPerPoll), mayWait ? millisecondsToNextTimer() : 0)
        if mayWait { shared.withLock { $0.isAsleep = false } }
        // EINTR only means that there is nothing to do yet.
        for index in 0..<Int(max(count, 0)) {
            let event = events + index
            let key = belfry_epoll_data(event)
            guard key != Self.wakeUpKey else {
                var value: eventfd_t = 0
                eventfd_read(wakeUp, &value)
                continue
            }
            // The generation distinguishes a slot's current watch from one that was cancelled in this round.
            let slot = Int(key & 0xffff_ffff)
            guard let watch = watches[slot], watch.key == key else { continue }
            let ready = Interest(events: event.pointee.events).intersection(watch.interest)
            if !ready.isEmpty { watch.handler(ready) }
        }
        return true
    }

    private func millisecondsToNextTimer() -> Int32 {
        guard let deadline = timers.nextDeadline else { return -1 }
        let remaining = (deadline - .now()).nanoseconds
        // Rounded up: a timer never fires early.
        return Int32(clamping: max(0, (remaining + 999_999) / 1_000_000))
    }

    private func wake() { eventfd_write(wakeUp, 1) }
}

private final class ThreadStart {
    let loop: EventLoop
    let started: Int32

    init(loop: EventLoop, started: Int32) {
        self.loop = loop
        self.started = started
    }
}

/// Ignores SIGPIPE: a write to a closed connection returns an error instead of ending the process.
private let ignoreBrokenPipes: Void = {
    signal(SIGPIPE, SIG_IGN)
}()
