import Campaigns

/// Which batches the requests of a few milliseconds make. A value, without database or clock.
///
/// A batch goes to one environment of one app, holds no device twice, and no more than a window to Apple does. What a
/// request has for one environment stands together in one batch, so that three numbers name it.
struct PushGrouping {
    struct Batch {
        let app: App.ID
        let environment: PushEnvironment
        /// In the order of `members`.
        fileprivate(set) var recipients: [Int64] = []
        fileprivate(set) var outcomes: [UInt8] = []
        /// Who stands at each place: a request, and one of its recipients.
        fileprivate(set) var members: [Member] = []
        fileprivate var devices: Set<Int64> = []
    }

    struct Member {
        let request: Int
        let recipient: Int
    }

    /// Recipients of a request who stand together.
    struct Part: Equatable {
        let batch: Int
        let first: Int
        let count: Int
    }

    private struct World: Hashable {
        let app: App.ID
        let environment: PushEnvironment
    }

    private(set) var batches: [Batch] = []
    /// By request.
    private(set) var parts: [[Part]] = []
    /// Where more can be added.
    private var open: [World: Int] = [:]

    /// The requests keep their order.
    init(_ requests: [PushRequest], limit: Int = PushRequest.maximumDevices) {
        for (place, request) in requests.enumerated() {
            let parts = PushEnvironment.allCases.compactMap { environment in
                let recipients = request.recipients.indices.filter {
                    request.recipients[$0].environment == environment
                }
                return recipients.isEmpty ? nil : add(recipients, of: request, at: place, environment, limit)
            }
            self.parts.append(parts)
        }
    }

    private mutating func add(
        _ recipients: [Int], of request: PushRequest, at place: Int, _ environment: PushEnvironment, _ limit: Int
    ) -> Part {
        let world = World(app: request.app, environment: environment)
        let devices = recipients.map { request.recipients[$0].device.rawValue }
        let number = batch(for: devices, in: world, limit)
        let part = Part(batch: number, first: batches[number].recipients.count, count: devices.count)
        batches[number].recipients += devices
        batches[number].devices.formUnion(devices)
        for recipient in recipients {
            batches[number].outcomes.append(request.recipients[recipient].content.code)
            batches[number].members.append(Member(request: place, recipient: recipient))
        }
        return part
    }

    /// The open batch, if it has room and holds none of these; else a new one.
    private mutating func batch(for devices: [Int64], in world: World, _ limit: Int) -> Int {
        if let batch = open[world], batches[batch].recipients.count + devices.count <= limit,
            batches[batch].devices.isDisjoint(with: devices)
        {
            return batch
        }
        batches.append(Batch(app: world.app, environment: world.environment))
        open[world] = batches.count - 1
        return batches.count - 1
    }
}

extension PushRequest.Content {
    /// The ledger's, at the beginning.
    fileprivate var code: UInt8 {
        switch self {
        case .push: OutcomeCode.pending
        case .suppressed(let code): code
        }
    }
}
