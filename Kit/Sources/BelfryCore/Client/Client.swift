import Foundation

/// The app's side of Belfry without Apple's frameworks: it keeps what the server has to learn, and sends it.
///
/// A change is stored before its method returns, and sent as soon as possible. Nothing waits for the network, and what
/// can't be sent stays for the next launch.
public actor Client {
    /// The server's address and key.
    public nonisolated let configuration: BelfryConfiguration
    /// Mistakes and warnings for developers, each once. One reader at a time.
    public nonisolated var diagnostics: AsyncStream<Diagnostic> { reports.stream }

    let transport: any Transport
    let clock: any ClientClock
    let reports = Diagnostics()
    let responses: ResponseLog
    let serverConfiguration: ServerConfigurationFile
    /// The answer to the last `fetchConfiguration`; nil if the server was not reached.
    var revisions: ServerConfiguration.Revisions?
    /// The schedule that iOS is being told.
    var schedule: PlanSchedule?
    /// Folder of the kit's files.
    let folder: URL
    private let installations: any InstallationStore
    private let acknowledgements: EventOutbox
    private let localEvents: EventOutbox
    private let trackedEvents: EventOutbox
    private let stored: StoredValue<RegistrationChain>
    /// Nil until it was read, and while its file is locked.
    private var chain: RegistrationChain?
    /// Changes that are not in the chain yet, in their order: its file is locked, or they are just coming.
    private var held: [(inout RegistrationChain) -> Void] = []
    private var installation: String?
    private var retry = RetryPolicy()
    private var worker: Task<Void, Never>?
    private var alarm: Task<Void, Never>?
    private var isAsked = false
    /// Requests without an answer, one after another.
    private var unanswered = 0
    /// Times in a row that the server did not have the device of the app's own events.
    private var lostTracked = 0

    /// Requests without an answer after which developers are told. A single failure is normal on a phone.
    static let maximumUnanswered = 3
    /// Changes that are held in memory while the device has not been unlocked since its start.
    static let maximumHeld = 100

    /// Times in a row that a device is registered again because the server does not have it.
    static let maximumLost = 3

    /// Reads and writes nothing yet, so the app's start does not wait for the disk. `process` names the folder of this
    /// process's events: "app" or "service".
    public init(
        configuration: BelfryConfiguration, folder: URL, process: String = "app",
        installations: any InstallationStore, transport: any Transport = URLSessionTransport(),
        clock: any ClientClock = SystemClock()
    ) {
        self.configuration = configuration
        self.folder = folder
        self.installations = installations
        self.transport = transport
        self.clock = clock
        let reports = reports
        func outbox(_ name: String, _ address: @escaping @Sendable () -> EventAddress?) -> EventOutbox {
            let root = folder.appendingPathComponent(name, isDirectory: true)
            let queue = EventQueue(root: root, process: process)
            return EventOutbox(
                queue: queue,
                sender: EventSender(
                    queue: queue, configuration: configuration, transport: transport, diagnostics: reports,
                    clock: clock, address: address))
        }
        acknowledgements = outbox("events") { EventAddress(path: ["acknowledgements"]) }
        localEvents = outbox("local-events") {
            installations.installation().map { EventAddress(path: ["devices", $0, "local-events"]) }
        }
        trackedEvents = outbox("custom-events") {
            installations.installation().map { EventAddress(path: ["custom-events"], installation: $0) }
        }
        stored = StoredValue("registration", in: folder)
        serverConfiguration = ServerConfigurationFile(in: folder)
        responses = ResponseLog(StoredValue("responses", in: folder))
        if let mistake = configuration.mistake {
            reports.report(mistake)
        }
    }

    /// Reports something that an app's own layer has found.
    public nonisolated func report(_ diagnostic: Diagnostic) { reports.report(diagnostic) }

    deinit {
        worker?.cancel()
        alarm?.cancel()
    }

    // MARK: Events

    /// Stores the event before it returns, from any thread; it is sent with the next `flush`. Throws if the disk is
    /// full. A push that is not Belfry's has no id, and is ignored.
    public nonisolated func record(
        _ push: Push, _ kind: Event.Kind, action: String? = nil, text: String? = nil, value: Double? = nil
    ) throws {
        guard let id = push.messageID else { return }
        try record(Event(messageID: id, kind: kind, at: clock.now, action: action, text: text, value: value))
    }

    /// A local notification of the server was shown while the app was in the foreground, and the like. See
    /// `record(_:_:)`.
    public nonisolated func record(_ notification: LocalNotificationID, _ kind: Event.Kind) throws {
        try record(Event(of: notification, kind: kind, at: clock.now))
    }

    /// See `record(_:_:)`.
    public nonisolated func record(_ event: Event) throws {
        try outbox(of: event).queue.record(event, at: clock.now)
    }

    private nonisolated func outbox(of event: Event) -> EventOutbox {
        if event.name != nil { return trackedEvents }
        return event.notification == nil ? acknowledgements : localEvents
    }

    // MARK: The installation, its state and its person

    /// The token that iOS gave, at each launch.
    public func register(_ token: DeviceToken, as kind: TokenKind = .alert) {
        let now = clock.now
        change { $0.register(token, as: kind, at: now) }
    }

    /// The present state of the device.
    public func update(_ state: DeviceState) {
        let now = clock.now
        change { $0.update(state, at: now) }
    }

    /// The person who uses the app. Another one is logged out first.
    public func logIn(_ user: User) {
        let now = clock.now
        change { $0.logIn(user, at: now) }
    }

    /// Nobody uses the app any more. The server learns it even if the next person logs in before it can be sent.
    public func logOut() {
        let now = clock.now
        change { $0.logOut(at: now) }
    }

    /// Changes that are no part of the state: opt-outs, tags, values of the person.
    public func update(_ change: DeviceChange) {
        if !change.person.members.isEmpty, user == nil {
            reports.report(
                Diagnostic(
                    .refused, "no-person",
                    "Values of a person were left out, because nobody is logged in. Call logIn first."))
        }
        apply(change)
    }

    /// Values of the person are left out while nobody is logged in.
    func apply(_ change: DeviceChange) {
        let members = change.members
        self.change { [reports] chain in
            if !chain.update(members) {
                reports.report(
                    Diagnostic(
                        .storage, "too-many-updates", "More than 100 updates waited, so the oldest were dropped."))
            }
        }
    }

    /// States everything again, so that the server knows that the app is still there. Call it at each launch.
    public func refresh() {
        let now = clock.now
        change { $0.refresh(at: now) }
    }

    /// The person who is logged in, as far as this device knows; nil also while the file is locked, and after the server
    /// has refused the person's signature.
    public var user: User? { load()?.user }

    // MARK: Sending

    /// Sends what waits, and returns when the server has it or has to be waited for. Call it when the app comes to the
    /// foreground: it also tries again what a failure has put off.
    public func flush() async {
        alarm?.cancel()
        alarm = nil
        send()
        while let worker { await worker.value }
    }

    private func change(_ body: @escaping (inout RegistrationChain) -> Void) {
        held.append(body)
        if held.count > Self.maximumHeld { held.removeFirst() }
        if applyHeld() { send() }
    }

    /// The chain from its file; nil while the file is locked.
    private func load() -> RegistrationChain? {
        applyHeld()
        return chain
    }

    /// Returns false if nothing has changed, or while the file is locked.
    @discardableResult
    private func applyHeld() -> Bool {
        if chain == nil { chain = read() }
        guard !held.isEmpty, var changed = chain else { return false }
        for body in held { body(&changed) }
        held = []
        guard changed != chain else { return false }
        store(changed)
        return true
    }

    private func read() -> RegistrationChain? {
        do { return try stored.read() ?? RegistrationChain() } catch {
            guard error == .damaged else { return nil }
            reports.report(
                Diagnostic(.storage, "registration", "The registration's file is damaged, so the app registers again."))
            return RegistrationChain()
        }
    }

    private func store(_ changed: RegistrationChain) {
        chain = changed
        do { try stored.write(changed) } catch {
            reports.report(
                Diagnostic(
                    .storage, "registration", "The registration can't be stored, so a launch may lose it: \(error)"))
        }
    }

    /// Begins to send what waits, and returns at once. While a failure puts off what waits, nothing is sent: then the kit
    /// tries again by itself.
    public func send() {
        guard alarm == nil, configuration.mistake == nil else { return }
        isAsked = true
        guard worker == nil else { return }
        worker = Task { await self.work() }
    }

    private func work() async {
        while isAsked, !Task.isCancelled {
            isAsked = false
            let registration = await sendRegistrations()
            let acknowledged = await acknowledgements.sender.flush().delay
            // The server takes other events of devices that it knows.
            let local = registration == nil ? await localEvents.sender.flush().delay : nil
            let tracked = registration == nil ? await sendTracked() : nil
            wake(in: [registration, acknowledged, local, tracked].compactMap { $0 }.min())
        }
        worker = nil
    }

    /// Sends again after the delay, if nothing else has until then.
    private func wake(in seconds: TimeInterval?) {
        alarm?.cancel()
        alarm = nil
        guard let seconds else { return }
        alarm = Task { [clock, weak self] in
            guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
            await self?.flush()
        }
    }

    /// Sends registrations until the server has all. Returns the seconds to wait, if it has to be waited for.
    private func sendRegistrations() async -> TimeInterval? {
        var lost = 0
        while let outcome = await sendRegistration() {
            if outcome.isUnregistered { lost += 1 }
            // A server that loses each registration at once is not asked in a loop.
            if lost > Self.maximumLost { return RetryPolicy.maximumDelay }
            if let delay = outcome.delay { return delay }
        }
        return nil
    }

    /// Sends the app's own events, once the device is registered. If the server has lost the device, it is registered again
    /// first. Returns the seconds to wait, if the server has to be waited for.
    private func sendTracked() async -> TimeInterval? {
        guard let known = load(), known.isRegistered else { return nil }
        let ending = await trackedEvents.sender.flush()
        guard ending == .unregistered, var unknown = load() else {
            lostTracked = 0
            return ending.delay
        }
        lostTracked += 1
        if lostTracked > Self.maximumLost {
            lostTracked = 0
            return RetryPolicy.maximumDelay
        }
        unknown.registerAgain()
        store(unknown)
        isAsked = true
        return nil
    }

    /// Nil if nothing is to be sent.
    private func sendRegistration() async -> RegistrationOutcome? {
        guard !retry.isStopped, let installation = knownInstallation(), let request = nextRegistration() else {
            return nil
        }
        // The server counts events for whoever is logged in when they arrive. An outage of theirs does not hold up the
        // logout.
        if request.work == .logOut, chain?.isRegistered == true {
            await trackedEvents.sender.flush(until: request.sentAt)
        }
        return received(await transport.send(configuration.request(request, of: installation)), to: request)
    }

    private func nextRegistration() -> RegistrationChain.Request? {
        guard var next = load(), let request = next.next(at: clock.now) else { return nil }
        store(next)
        return request
    }

    private func received(_ answer: TransportResult, to request: RegistrationChain.Request) -> RegistrationOutcome {
        note(answer)
        let outcome = RegistrationOutcome(answer, to: request, at: clock.now, retry: &retry, report: reports.report)
        guard var ended = chain else { return outcome }
        if outcome.isPersonRefused { ended.refusedPerson(of: request, at: clock.now) }
        ended.ended(request, succeeded: outcome.isDone)
        if outcome.isUnregistered { ended.registerAgain() }
        store(ended)
        return outcome
    }

    /// Tells developers of a server that can't be reached: on their first day the address, a tunnel or the settings of
    /// App Transport Security are wrong.
    func note(_ result: TransportResult) {
        guard case .failed(let reason) = result else {
            unanswered = 0
            return
        }
        unanswered += 1
        guard unanswered == Self.maximumUnanswered else { return }
        let port = configuration.api.port.map { ":\($0)" } ?? ""
        reports.report(
            Diagnostic(
                .warning, "unreachable",
                "\(configuration.api.host ?? "")\(port) gives no answer: \(reason) Belfry tries again by itself. Check "
                    + "the address, the network, and App Transport Security."))
    }

    /// Read once. A locked Keychain is asked again with the next change.
    func knownInstallation() -> String? {
        if installation == nil { installation = installations.installation() }
        return installation
    }
}

extension EventSender.Ending {
    fileprivate var delay: TimeInterval? { if case .waiting(let seconds) = self { seconds } else { nil } }
}
