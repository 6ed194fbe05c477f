import API
import APNSSimulator
import Campaigns
import EventLoop
import Logging
import Notifications
import ServiceLifecycle
import Store

/// The phones of the demo: the fleet of its own app, and single ones that people add to theirs.
///
/// Each added phone is a fleet of one. All share the simulator's device table, in which a phone's index is its number.
final class DemoPhones: VirtualPhones, Service, CustomStringConvertible {
    /// The maximum number of added phones.
    static let maximumCount = 200

    private struct State {
        var fleet: Fleet?
        var port: UInt16 = 0
        /// The added phones by their index in the table.
        var added: [Int: Fleet] = [:]
        var isAdding = false
    }

    let table = DeviceTable()
    private let fleetSize: Int
    private let loop: EventLoop
    private let logger: Logger
    private let state = Lock(State())
    private let newFleets: AsyncStream<Fleet>
    private let continuation: AsyncStream<Fleet>.Continuation

    var description: String { "virtual phones" }

    init(fleetSize: Int, loop: EventLoop, logger: Logger) {
        self.fleetSize = fleetSize
        self.loop = loop
        self.logger = logger
        (newFleets, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumCount))
    }

    /// Sets the fleet of the demo's app, and the port of the API.
    func start(_ fleet: Fleet, port: UInt16) {
        state.withLock { ($0.fleet, $0.port) = (fleet, port) }
    }

    /// Hands a push to its phone. Called on the simulator's loops.
    func receive(_ push: DeliveredPush) {
        let fleet = state.withLock { state in push.device.flatMap { state.added[$0] } ?? state.fleet }
        fleet?.receive(push)
    }

    func add(to app: AppRecord, publishableKey: String) async throws -> String {
        let (port, number) = try begin()
        defer { state.withLock { $0.isAdding = false } }
        let fleet = Fleet(
            configuration: Self.configuration(of: app, publishableKey, number: number, port: port), devices: table,
            loop: loop, logger: logger)
        await fleet.register()
        guard fleet.statistics.registered == 1 else { throw Refusal.virtualPhoneRefused }
        state.withLock { $0.added[number] = fleet }
        continuation.yield(fleet)
        return fleet.installation(number)
    }

    /// Reserves the next number of the table. One phone is added at a time, after the fleet.
    private func begin() throws(Refusal) -> (port: UInt16, number: Int) {
        let table = table
        let fleetSize = fleetSize
        return try state.withLock { state throws(Refusal) in
            guard state.fleet != nil, table.count >= fleetSize, !state.isAdding else { throw .virtualPhonesBusy }
            guard state.added.count < Self.maximumCount else {
                throw .tooManyVirtualPhones(limit: Self.maximumCount)
            }
            state.isAdding = true
            return (state.port, table.count)
        }
    }

    private static func configuration(
        of app: AppRecord, _ key: String, number: Int, port: UInt16
    ) -> FleetConfiguration {
        var configuration = FleetConfiguration(
            bundleID: app.settings.bundleID.text, appID: app.id.description, publishableKey: key, host: "127.0.0.1",
            port: port)
        // The phones before it belong to other fleets.
        configuration.count = number + 1
        // Installations and tokens of an earlier run are taken.
        configuration.seed = UInt64.random(in: 0...UInt64.max)
        configuration.messageIDKey = app.settings.messageIDKey
        configuration.connections = 1
        // A person who adds a single phone wants to see what it does.
        configuration.shares = .init(attentive: true)
        configuration.deliveryDelay.longest = .seconds(2)
        configuration.openingDelay = .init(typical: .seconds(3), longest: .seconds(10))
        return configuration
    }

    /// Runs the added phones, which acknowledge what they receive.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await fleet in newFleets.cancelOnGracefulShutdown() {
                group.addTask { try await fleet.run() }
            }
        }
    }
}
