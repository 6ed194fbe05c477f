import EventLoop
import Metrics

/// Metrics of the connections to one of Apple's environments. Connections count in `AnswerTally`, and report here a few
/// times a second.
struct APNSMetrics: Sendable {
    enum Name {
        static let connections = "belfry_apns_connections"
        static let opened = "belfry_apns_connections_opened"
        static let failures = "belfry_apns_connection_failures"
        static let goAways = "belfry_apns_goaways"
        static let answers = "belfry_apns_answers"
        static let roundTrip = "belfry_apns_round_trip_duration_seconds"
        static let streams = "belfry_apns_streams"
        static let maximumStreams = "belfry_apns_streams_maximum"
        static let lastAccepted = "belfry_apns_last_accepted_timestamp_seconds"
        static let refusals = "belfry_apns_credential_refusals"
    }

    let open: Meter
    let opened: Counter
    let failures: Counter
    let goAways: Counter
    let streams: Meter
    let maximumStreams: Meter
    private let roundTrip: Timer
    private let accepted: Counter
    private let factory: any MetricsFactory
    private let host: String
    private let key: String

    /// `key` is the ID of the signing key.
    init(host: String, key: String, _ factory: any MetricsFactory) {
        (self.host, self.key, self.factory) = (host, key, factory)
        let ofHost = [("host", host)]
        open = Meter(label: Name.connections, dimensions: ofHost, factory: factory)
        opened = Counter(label: Name.opened, dimensions: ofHost, factory: factory)
        failures = Counter(label: Name.failures, dimensions: ofHost, factory: factory)
        goAways = Counter(label: Name.goAways, dimensions: ofHost, factory: factory)
        streams = Meter(label: Name.streams, dimensions: ofHost, factory: factory)
        maximumStreams = Meter(label: Name.maximumStreams, dimensions: ofHost, factory: factory)
        roundTrip = Timer(label: Name.roundTrip, dimensions: ofHost, factory: factory)
        accepted = Counter(
            label: Name.answers, dimensions: [("host", host), ("status", "200"), ("reason", "")], factory: factory)
    }

    /// `now` is in seconds since 1970.
    func report(_ tally: AnswerTally, _ reasons: ReasonTable, now: Double) {
        if tally.accepted > 0 {
            accepted.increment(by: tally.accepted)
            // Its series appears with the first accepted push.
            Gauge(label: Name.lastAccepted, dimensions: [("key", key)], factory: factory).record(now)
        }
        for (answer, count) in tally.others {
            let reason = reasons.text(answer.reason)
            Counter(
                label: Name.answers,
                dimensions: [("host", host), ("status", "\(answer.status)"), ("reason", reason)], factory: factory
            ).increment(by: count)
            guard ReasonTable.reason(answer.reason)?.isCredentialFaultIfPersistent == true else { continue }
            Counter(label: Name.refusals, dimensions: [("key", key), ("reason", reason)], factory: factory)
                .increment(by: count)
        }
        for time in tally.roundTrips { roundTrip.recordSeconds(time.seconds) }
    }
}

extension Meter {
    /// `increment` ignores negative amounts.
    func change(by amount: Int) {
        if amount > 0 { increment(by: Double(amount)) }
        if amount < 0 { decrement(by: Double(-amount)) }
    }
}
