public import EventLoop
import FoundationEssentials
import Glibc
import HTTPClient
import HTTPTypes
public import Logging
public import ServiceLifecycle

/// The virtual phones of one app. They register through the API, receive pushes from the simulator in the same process
/// and acknowledge them; some of them uninstall the app.
///
/// Pass `devices` and `receive` to the `SimulatorServer`, await `register()`, then call `run()`.
public final class Fleet: Service {
    /// The phones as the simulator knows them. A phone's number is its index here.
    public let devices: DeviceTable
    private let configuration: FleetConfiguration
    private let loop: EventLoop
    private let logger: Logger
    private let client: FleetClient
    private let state: Lock<State>

    struct State {
        var generator: SeededGenerator
        var schedule = AcknowledgementSchedule()
        var statistics = FleetStatistics()
    }

    /// Creates a fleet on `loop`. `devices` belongs to this fleet alone; pass the table of the simulator if that was
    /// created first.
    public init(
        configuration: FleetConfiguration, devices: DeviceTable = DeviceTable(), loop: EventLoop, logger: Logger
    ) {
        self.configuration = configuration
        self.loop = loop
        self.logger = logger
        self.devices = devices
        client = FleetClient(configuration, on: loop)
        state = Lock(State(generator: SeededGenerator(seed: configuration.seed)))
    }

    public var statistics: FleetStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.pending = state.schedule.count
            return statistics
        }
    }

    // MARK: Registering

    /// Registers all phones, a bounded number at a time. Returns when each has been attempted.
    public func register() async {
        let first = devices.count
        let phones = first..<configuration.count
        addToDevices(phones)
        let next = Lock(phones.lowerBound)
        await withTaskExecutorPreference(loop) {
            await withDiscardingTaskGroup { group in
                for _ in 0..<self.configuration.connections {
                    group.addTask { await self.registerPhones(of: phones, next) }
                }
            }
        }
        logger.info("phones registered", metadata: ["count": "\(statistics.registered)"])
    }

    private func addToDevices(_ phones: Range<Int>) {
        for number in phones {
            let phone = self.phone(number)
            let environment = phone.hasWrongEnvironment ? configuration.environment.other : configuration.environment
            devices.add(token: phone.token, environment: environment, topic: configuration.bundleID)
        }
    }

    private func registerPhones(of phones: Range<Int>, _ next: Lock<Int>) async {
        while !Task.isCancelled {
            let number = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard phones.contains(number) else { return }
            let phone = self.phone(number)
            let failure = await client.register(phone, as: configuration.environment)
            state.withLock { state in
                if failure == nil { state.statistics.registered += 1 } else { state.statistics.notRegistered += 1 }
                if phone.isUninstalled { state.statistics.uninstalled += 1 }
            }
            if let failure { logger.debug("phone registration failed", metadata: ["reason": "\(failure)"]) }
            // The app is uninstalled after the registration, so Apple's time is later than it.
            if phone.isUninstalled { devices.unregister(number) }
        }
    }

    /// The secret under which a phone registers.
    public func installation(_ number: Int) -> String { phone(number).installation }

    private func phone(_ number: Int) -> Phone {
        Phone(number: number, seed: configuration.seed, shares: configuration.shares)
    }

    // MARK: Receiving

    /// Receives a push that the simulator accepted. Called on its loops; does not block.
    public func receive(_ push: DeliveredPush) {
        guard let device = push.device else { return }
        let (id, buttons) = read(push.payload)
        let liking = liking(for: push.payload)
        let now = MonotonicTime.now()
        let date = Int64(Date().timeIntervalSince1970 * 1_000)
        let isUninstalling = state.withLock { $0.receive(id, buttons, liking: liking, at: now, date, configuration) }
        if isUninstalling { devices.unregister(device) }
    }

    /// How many times as often the push is opened as others.
    private func liking(for payload: UnsafeRawBufferPointer) -> Double {
        configuration.likings.reduce(1) { factor, liking in
            payload.contains(text: liking.text) ? factor * liking.factor : factor
        }
    }

    /// The message id, and the buttons of the category, or those that came with the push.
    private func read(_ payload: UnsafeRawBufferPointer) -> (id: PushID?, buttons: [FleetConfiguration.Button]) {
        guard let scan = PayloadScan(payload, wantedKey: Array(configuration.messageIDKey.utf8)) else {
            return (nil, [])
        }
        let id = scan.wantedString.flatMap { PushID(payload[$0]) }
        if let typed = scan[.top, "belfry-buttons"] { return (id, TypedButtons.read(payload[typed.value])) }
        guard !configuration.buttons.isEmpty, let category = scan[.aps, "category"], category.kind == .string else {
            return (id, [])
        }
        let name = String(decoding: payload[category.value].dropFirst().dropLast(), as: UTF8.self)
        return (id, configuration.buttons[name] ?? [])
    }

    // MARK: Acknowledging

    /// Sends acknowledgements as they become due, until cancelled or shut down.
    public func run() async throws {
        await withTaskExecutorPreference(loop) {
            while !Task.isCancelled && !Task.isShuttingDownGracefully {
                await self.acknowledge(self.state.withLock { $0.schedule.takeDue(at: .now()) })
                do {
                    try await self.loop.sleep(for: AcknowledgementSchedule.tick)
                } catch {
                    break
                }
            }
            await self.client.close()
        }
    }

    /// Sends all pending acknowledgements, due or not.
    public func acknowledgeAll() async {
        await withTaskExecutorPreference(loop) {
            await self.acknowledge(self.state.withLock { $0.schedule.takeAll() })
        }
    }

    private func acknowledge(_ events: [AcknowledgementSchedule.Event]) async {
        let size = FleetClient.eventsPerRequest
        let batches = stride(from: 0, to: events.count, by: size).map { events[$0..<min($0 + size, events.count)] }
        for group in stride(from: 0, to: batches.count, by: configuration.connections) {
            await withDiscardingTaskGroup { tasks in
                for batch in batches[group..<min(group + configuration.connections, batches.count)] {
                    tasks.addTask { await self.acknowledge(batch) }
                }
            }
        }
    }

    private func acknowledge(_ batch: ArraySlice<AcknowledgementSchedule.Event>) async {
        let failure = await client.acknowledge(batch)
        state.withLock { state in
            if failure == nil { state.countStored(batch) } else { state.requeue(batch) }
        }
        if let failure { logger.debug("acknowledgements failed", metadata: ["reason": "\(failure)"]) }
    }
}

extension Fleet.State {
    /// Decides the outcome of a push. Returns true if the phone uninstalls its app after it.
    fileprivate mutating func receive(
        _ id: PushID?, _ buttons: [FleetConfiguration.Button], liking: Double, at now: MonotonicTime, _ date: Int64,
        _ configuration: FleetConfiguration
    ) -> Bool {
        statistics.received += 1
        guard let id else {
            statistics.withoutID += 1
            return false
        }
        guard happens(configuration.shares.delivered) else {
            statistics.undelivered += 1
            return false
        }
        let delivery = configuration.deliveryDelay.draw(using: &generator)
        put(.init(id: id, kind: .delivered, at: date + delivery.milliseconds), due: now + delivery)
        respond(
            to: id, buttons, liking, after: delivery + configuration.openingDelay.draw(using: &generator), now, date,
            configuration)
        let isUninstalling = happens(configuration.shares.uninstalledAfterPush)
        if isUninstalling { statistics.uninstalled += 1 }
        return isUninstalling
    }

    /// Decides what the person does with a push, `delay` after it was sent.
    private mutating func respond(
        to id: PushID, _ buttons: [FleetConfiguration.Button], _ liking: Double, after delay: Duration,
        _ now: MonotonicTime, _ date: Int64, _ configuration: FleetConfiguration
    ) {
        let shares = configuration.shares
        func event(
            _ kind: AcknowledgementSchedule.Event.Kind, _ action: String = "", _ detail: Int32 = 0
        ) -> AcknowledgementSchedule.Event {
            .init(id: id, kind: kind, at: date + delay.milliseconds, action: action, detail: detail)
        }
        guard happens(shares.opened * liking) else {
            if !buttons.isEmpty, happens(shares.dismissed) {
                put(event(.dismissed), due: now + delay)
            } else if happens(shares.influenced) {
                put(event(.influenced), due: now + delay)
            }
            return
        }
        if happens(shares.answered), let button = buttons.randomElement(using: &generator) {
            let reply = configuration.replies.indices.randomElement(using: &generator).map { Int32($0) }
            let kind: AcknowledgementSchedule.Event.Kind = button.takesText && reply != nil ? .text : .action
            put(event(kind, button.identifier, reply ?? 0), due: now + delay)
        } else {
            put(event(.opened), due: now + delay)
        }
        if happens(shares.converted) {
            put(event(.converted, "purchase", Int32.random(in: 500...8_000, using: &generator)), due: now + delay)
        }
    }

    private mutating func put(_ event: AcknowledgementSchedule.Event, due: MonotonicTime) {
        if !schedule.add(event, due: due) { statistics.notAcknowledged += 1 }
    }

    private mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

    fileprivate mutating func countStored(_ batch: ArraySlice<AcknowledgementSchedule.Event>) {
        statistics.opened += batch.count { $0.kind == .opened }
        statistics.delivered += batch.count { $0.kind == .delivered }
    }

    /// Schedules failed acknowledgements again, a bounded number of times.
    fileprivate mutating func requeue(_ batch: ArraySlice<AcknowledgementSchedule.Event>) {
        for event in batch {
            guard event.attempts + 1 < FleetClient.attempts else {
                statistics.notAcknowledged += 1
                continue
            }
            var again = event
            again.attempts += 1
            put(again, due: .now() + FleetClient.pause)
        }
    }
}

extension SimulatorConfiguration.Environment {
    var other: Self { self == .production ? .sandbox : .production }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(text: String) -> Bool {
        var text = text
        return text.withUTF8 { wanted in
            guard let first = wanted.first, let begin = baseAddress, let pattern = wanted.baseAddress else {
                return false
            }
            var offset = 0
            while offset + wanted.count <= count,
                let found = memchr(begin + offset, Int32(first), count - wanted.count - offset + 1)
            {
                if memcmp(found, pattern, wanted.count) == 0 { return true }
                offset = UnsafeRawPointer(found) - begin + 1
            }
            return false
        }
    }
}
