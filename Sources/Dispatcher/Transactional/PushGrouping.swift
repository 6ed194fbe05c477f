import Campaigns

/// Divides the requests of a few milliseconds into batches. A value, without database or clock.
///
/// A batch is for one environment of one app, contains no device twice, and is no larger than a window. The recipients
/// of a request in one environment are contiguous in one batch, so three numbers identify them.
struct PushGrouping {
    struct Batch {
        let app: App.ID
        let environment: PushEnvironment
        /// In the order of `members`.
        fileprivate(set) var recipients: [Int64] = []
        fileprivate(set) var outcomes: [UInt8] = []
        /// The request and the recipient at each index.
        fileprivate(set) var members: [Member] = []
        fileprivate var devices: Set<Int64> = []
    }

    struct Member {
        let request: Int
        let recipient: Int
    }

    /// Contiguous recipients of one request in a batch.
    struct Part: Equatable {
        let batch: Int
        let first: Int
        let count: Int
    }

    private struct BatchKey: Hashable {
        let app: App.ID
        let environment: PushEnvironment
    }

    private(set) var batches: [Batch] = []
    /// By request.
    private(set) var parts: [[Part]] = []
    /// The batch that more recipients can be added to.
    private var open: [BatchKey: Int] = [:]

    /// Recipients without an outcome.
    var unresolved: Int { batches.reduce(0) { $0 + $1.outcomes.count { $0 == OutcomeCode.pending } } }

    /// The requests keep their order.
    init(_ requests: [PushRequest], limit: Int = PushRequest.maximumDevices) {
        for (index, request) in requests.enumerated() {
            let parts = PushEnvironment.allCases.compactMap { environment in
                let recipients = request.recipients.indices.filter {
                    request.recipients[$0].environment == environment
                }
                return recipients.isEmpty ? nil : add(recipients, of: request, at: index, environment, limit)
            }
            self.parts.append(parts)
        }
    }

    private mutating func add(
        _ recipients: [Int], of request: PushRequest, at index: Int, _ environment: PushEnvironment, _ limit: Int
    ) -> Part {
        let key = BatchKey(app: request.app, environment: environment)
        let devices = recipients.map { request.recipients[$0].device.rawValue }
        let number = batch(for: devices, key: key, limit)
        let part = Part(batch: number, first: batches[number].recipients.count, count: devices.count)
        batches[number].recipients += devices
        batches[number].devices.formUnion(devices)
        for recipient in recipients {
            batches[number].outcomes.append(request.recipients[recipient].content.code)
            batches[number].members.append(Member(request: index, recipient: recipient))
        }
        return part
    }

    /// The open batch, if it has room and contains none of these devices; otherwise a new one.
    private mutating func batch(for devices: [Int64], key: BatchKey, _ limit: Int) -> Int {
        if let batch = open[key], batches[batch].recipients.count + devices.count <= limit,
            batches[batch].devices.isDisjoint(with: devices)
        {
            return batch
        }
        batches.append(Batch(app: key.app, environment: key.environment))
        open[key] = batches.count - 1
        return batches.count - 1
    }
}

extension PushRequest.Content {
    /// The initial code in the ledger.
    fileprivate var code: UInt8 {
        switch self {
        case .push: OutcomeCode.pending
        case .suppressed(let code): code
        }
    }
}
