import EventLoop
import Logging
import Postgres
import Store

/// Writes the process's beats, and compares the database with what the process remembers of it before each. After a
/// restore or a failover that lost commits it begins another generation of the database, in which no open run goes on
/// before a person agrees.
actor IdentityLoop {
    /// The time between two records of the memory that survive a loss of power.
    private static let syncInterval = Duration.seconds(10)
    /// The time between two looks for times that a clock which was ahead has left.
    private static let boundInterval = Duration.seconds(10)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: IdentityStore
    private let clock: ClockStore
    private let process: ProcessID
    private let dependencies: SendingDependencies
    private let signal: WakeUpSignal
    /// Called when the identity was confirmed, or another generation began.
    private let onChange: @Sendable () -> Void
    private var trust: DatabaseTrust
    private var file: MemoryFile?
    /// Files of earlier processes.
    private var oldFiles: [String] = []
    private var nextSync = MonotonicTime.now()
    private var nextBound = MonotonicTime.now()
    private var outage = Outage()
    /// Of the file: a disk stays full for long.
    private var fileOutage = Outage()
    private var doubt: DatabaseTrust.Doubt?
    private var hasFinished = false

    init(
        store: IdentityStore, clock: ClockStore, process: ProcessID, dependencies: SendingDependencies,
        signal: WakeUpSignal,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.clock = clock
        self.process = process
        self.dependencies = dependencies
        self.signal = signal
        self.onChange = onChange
        loop = dependencies.loop
        trust = DatabaseTrust(process: process, limits: dependencies.options.trustLimits)
    }

    private var options: DispatcherOptions { dependencies.options }
    private var logger: Logger { dependencies.logger }

    /// Returns after `finish`, when the last beat is written.
    func run() async {
        await openFiles()
        while !hasFinished {
            let pause = await round()
            if !hasFinished { await signal.sleep(upTo: pause) }
        }
        await end()
    }

    /// Nothing will be confirmed to this process any more.
    func finish() {
        hasFinished = true
        signal.call()
    }

    /// Returns the time until the next round.
    private func round() async -> Duration {
        do {
            let seen = try await store.observe(
                as: process, remembering: trust.memories, flushes: dependencies.flushMemory.flushes,
                asOf: trust.moment)
            outage.succeeded("the database is compared again", in: logger)
            guard let seen else { return options.unavailableRetryDelay }
            return try await act(on: seen)
        } catch {
            outage.failed("database not compared with what was confirmed", because: error, in: logger)
            return options.unavailableRetryDelay
        }
    }

    private func act(on seen: DatabaseObservation) async throws -> Duration {
        let remembers = trust.own != nil
        let verdict = trust.judge(seen, at: .now())
        // Another process has begun a generation.
        if remembers, trust.own == nil { dependencies.flushMemory.forget() }
        switch verdict {
        case .isConfirmed:
            doubt = nil
            if seen.isClockSetBack { try await correctTimes() }
            if .now() >= nextBound { try await boundTimes() }
            try await beat(on: seen)
            return dependencies.states.isEmpty ? options.idleBeat : options.beat
        case .confirm:
            if try await store.confirm(seen) {
                logger.info("database confirmed, sending goes on")
                onChange()
            }
            return .zero
        case .wait(let doubt):
            if self.doubt != doubt {
                self.doubt = doubt
                logger.warning("sending waits for confirmation of the database", metadata: ["reason": "\(doubt)"])
            }
            // Tells the others that nothing is missing for this process.
            if trust.own != nil { try await beat(on: seen) }
            return options.beat
        case .ask(let doubt):
            if try await store.beginGeneration(after: seen) {
                logger.warning(
                    "database may lack sent pushes", metadata: ["reason": "\(doubt)"])
                dependencies.onEvent?(.generationBegan(doubt))
            }
            self.doubt = nil
            forget()
            onChange()
            return .zero
        }
    }

    private func correctTimes() async throws {
        let difference = try await clock.correctAfterSetBack(
            lease: options.lease, planLease: options.planLease, retry: options.longestRetry)
        guard let difference else { return }
        logger.warning(
            "clock of PostgreSQL was set back",
            metadata: ["seconds": "\(difference.components.seconds)"])
        onChange()
    }

    private func boundTimes() async throws {
        nextBound = .now() + Self.boundInterval
        let count = try await clock.bound(
            lease: options.lease, planLease: options.planLease, retry: options.longestRetry)
        guard count > 0 else { return }
        logger.warning(
            "clock of PostgreSQL was ahead for a moment",
            metadata: ["times": "\(count)"])
        onChange()
    }

    private func forget() {
        trust.forget()
        dependencies.flushMemory.forget()
    }

    private func beat(on seen: DatabaseObservation, isLast: Bool = false) async throws {
        let number = dependencies.flushMemory.beginBeat()
        let (beat, moment) =
            if let own = trust.own {
                (own.beat + 1, try await store.beat(after: own, on: seen.server, isLast: isLast))
            } else {
                (trust.firstBeat, try await store.enter(process, beat: trust.firstBeat, on: seen.server))
            }
        guard let moment else { return }
        trust.beaten(beat, at: moment, in: seen, isLast: isLast)
        dependencies.flushMemory.confirmedBeat(number)
        await remember()
    }

    /// If the database does not answer, the next process decides by the beat before.
    private func end() async {
        guard trust.own != nil else { return }
        do {
            let seen = try await store.observe(
                as: process, remembering: trust.memories, flushes: dependencies.flushMemory.flushes)
            guard let seen, trust.judge(seen, at: .now()) == .isConfirmed else { return }
            try await beat(on: seen, isLast: true)
        } catch {
            logger.debug("last beat not written", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Files

    private func openFiles() async {
        guard let directory = options.stateDirectory.map({ "\($0)/processes" }) else { return }
        do {
            let (found, file) = try await withTaskExecutorPreference(globalConcurrentExecutor) { [process] in
                (try MemoryFile.leftBehind(in: directory), try MemoryFile(directory: directory, process: process))
            }
            self.file = file
            oldFiles = found.paths
            trust = DatabaseTrust(
                process: process, limits: options.trustLimits, memories: found.memories, areRecent: found.areRecent)
        } catch {
            logger.warning(
                "memory of confirmed work not kept",
                metadata: ["reason": "\(error)"])
        }
    }

    /// Writes the memory to the file, and then removes those of earlier processes.
    private func remember() async {
        guard let file, let own = trust.own else { return }
        let isSynced = own.hasEnded || !oldFiles.isEmpty || .now() >= nextSync
        if isSynced { nextSync = .now() + Self.syncInterval }
        do {
            try await withTaskExecutorPreference(globalConcurrentExecutor) { [oldFiles] in
                try file.write(own, isSynced: isSynced)
                for path in oldFiles { try MemoryFile.remove(path) }
            }
            oldFiles = []
            fileOutage.succeeded("memory of confirmed work stored again", in: logger)
        } catch {
            fileOutage.failed("memory of confirmed work not stored", because: error, in: logger)
        }
    }
}
