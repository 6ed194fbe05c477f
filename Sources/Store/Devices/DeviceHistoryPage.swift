import Campaigns

/// A page of the pushes to a device or to a person, newest first.
public struct DeviceHistoryPage: Sendable {
    public internal(set) var deliveries: [DeviceDelivery]
    /// The end of what was searched; nil if nothing is left. A page can be short or empty without being the last, since
    /// a page reads a bounded number of lists of recipients.
    public let next: DeviceHistoryPosition?

    /// Merges what was read of both streams, until one of them was not read further.
    init(_ runs: DeviceHistoryStream, _ pushes: DeviceHistoryStream, limit: Int) {
        var (runs, pushes) = (runs, pushes)
        deliveries = []
        while deliveries.count < limit, let newest = max(runs.newestBatch, pushes.newestBatch) {
            let delivery = newest == runs.newestBatch ? runs.next() : pushes.next()
            guard let delivery else { break }
            deliveries.append(delivery)
        }
        let isLast = runs.newestBatch == nil && pushes.newestBatch == nil
        next = isLast ? nil : DeviceHistoryPosition(runs: runs.position, pushes: pushes.position)
    }
}

/// The entries of runs, or those of transactional pushes, as far as they were read for a page.
struct DeviceHistoryStream {
    /// The place where reading stopped. There may be older entries.
    struct End: Sendable {
        let place: DeviceHistoryPosition.Place
        /// The batch at this place.
        let batch: Int64
        let messageNumber: Int64
    }

    /// Newest first.
    private var entries: ArraySlice<(delivery: DeviceDelivery, place: DeviceHistoryPosition.Place)>
    private let end: End?

    init(_ deliveries: [DeviceDelivery], end: End?) {
        entries = deliveries.map { ($0, $0.place) }[...]
        self.end = end
    }

    /// The batch of the next entry, or of the place where reading stopped; nil if there is nothing more.
    var newestBatch: Int64? { entries.first?.delivery.batch ?? end?.batch }

    /// Nil where reading stopped.
    mutating func next() -> DeviceDelivery? { entries.popFirst()?.delivery }

    /// Entries that were added since do not come before the next one.
    var position: DeviceHistoryPosition.Place {
        guard let next = entries.first?.place else { return end?.place ?? .oldest }
        return DeviceHistoryPosition.Place(number: next.number, device: Device.ID(rawValue: next.device.rawValue + 1))
    }
}

extension DeviceDelivery {
    fileprivate var place: DeviceHistoryPosition.Place {
        DeviceHistoryPosition.Place(number: run == nil ? messageNumber : batch, device: device)
    }
}

extension DeviceHistoryStream.End {
    /// Of a page's worth of entries: what comes after the last one was not read.
    init(_ last: DeviceDelivery) {
        self.init(place: last.place, batch: last.batch, messageNumber: last.messageNumber)
    }

    /// Of pushes that are older than all batches that a page can have.
    init(before number: Int64) {
        self.init(
            place: DeviceHistoryPosition.Place(number: number, device: Device.ID(rawValue: 0)), batch: 0,
            messageNumber: number)
    }
}

/// Nil is less than any number.
private func max(_ first: Int64?, _ second: Int64?) -> Int64? {
    [first, second].compactMap(\.self).max()
}
