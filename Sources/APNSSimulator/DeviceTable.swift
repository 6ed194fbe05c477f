import EventLoop
public import FoundationEssentials

/// The device tokens that the simulator knows, with the environment and topic of each and the time when it was
/// unregistered. Takes about 35 bytes per token. Shared by the listeners and the fleet.
public final class DeviceTable: Sendable {
    public enum TokenStatus: Equatable, Sendable {
        case unknown
        case otherEnvironment
        case otherTopic
        /// Milliseconds since 1970.
        case unregistered(since: Int64)
        /// The device's index, from 0, in the order in which the devices were added.
        case reachable(Int)
    }

    private struct Devices {
        var numbers = HashIndex()
        var environments: [SimulatorConfiguration.Environment] = []
        var topics: [UInt16] = []
        /// Milliseconds since 1970; 0 while the device is registered.
        var unregisteredAt: [Int64] = []
        var topicNames: [String] = []
    }

    private let devices = Lock(Devices())

    public init() {}

    public var count: Int { devices.withLock { $0.topics.count } }

    /// Adds a token and returns the device's index. `topic` is the complete `apns-topic`, with its suffix. A token that
    /// is already in the table gets the new environment and topic and is registered again.
    @discardableResult
    public func add(
        token: some Collection<UInt8>, environment: SimulatorConfiguration.Environment, topic: String
    ) -> Int {
        let hash = Hash64.of(token)
        return devices.withLock { devices in
            let topicNumber = devices.topicNames.firstIndex(of: topic) ?? devices.topicNames.endIndex
            if topicNumber == devices.topicNames.endIndex { devices.topicNames.append(topic) }
            if let number = devices.numbers[hash] {
                devices.environments[number] = environment
                devices.topics[number] = UInt16(topicNumber)
                devices.unregisteredAt[number] = 0
                return number
            }
            let number = devices.topics.count
            devices.numbers.insert(hash, number)
            devices.environments.append(environment)
            devices.topics.append(UInt16(topicNumber))
            devices.unregisteredAt.append(0)
            return number
        }
    }

    /// Unregisters a device: pushes to it are answered with 410 and this time from now on.
    public func unregister(_ device: Int, at time: Date = Date()) {
        devices.withLock { $0.unregisteredAt[device] = Int64(time.timeIntervalSince1970 * 1_000) }
    }

    public func unregister(token: some Collection<UInt8>, at time: Date = Date()) {
        let hash = Hash64.of(token)
        guard let device = devices.withLock({ $0.numbers[hash] }) else { return }
        unregister(device, at: time)
    }

    public func register(_ device: Int) {
        devices.withLock { $0.unregisteredAt[device] = 0 }
    }

    func status(
        ofTokenHash hash: UInt64, environment: SimulatorConfiguration.Environment, topic: String
    ) -> TokenStatus {
        devices.withLock { devices in
            guard let number = devices.numbers[hash] else { return .unknown }
            guard devices.environments[number] == environment else { return .otherEnvironment }
            guard devices.topicNames[Int(devices.topics[number])] == topic else { return .otherTopic }
            let since = devices.unregisteredAt[number]
            return since == 0 ? .reachable(number) : .unregistered(since: since)
        }
    }
}
