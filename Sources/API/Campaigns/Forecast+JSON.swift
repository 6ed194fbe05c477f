import Application
import Campaigns
import JSON
import Notifications
import Store

extension Forecaster.Result {
    /// `problems` are the reasons why the campaign can't be scheduled or started.
    func json(_ problems: [Problem]) -> JSON {
        [
            "problems": .array(problems.map(\.json)), "occurrence": occurrence?.text ?? .null,
            "audience": .count(audience), "is_exact": .bool(isExact), "devices_scanned": .count(devicesScanned),
            "sent": .count(forecast.sent), "expired": .count(forecast.expired),
            "starts_at": forecast.startsAt.map { .string(RFC3339.text($0)) } ?? .null,
            "ends_at": forecast.endsAt.map { .string(RFC3339.text($0)) } ?? .null,
            "pushes_per_second": .count(forecast.rate),
            "held": .array(forecast.held.map(\.json)), "suppressed": .array(forecast.suppressed.map(\.json)),
            "timeline": .array(
                forecast.timeline.map { step in
                    [
                        "from": .string(RFC3339.text(step.from)), "to": .string(RFC3339.text(step.to)),
                        "count": .count(step.count),
                    ]
                }),
            "next_occurrences": .array(forecast.nextOccurrences.map(\.text)),
        ]
    }
}

extension Forecast.Reason {
    fileprivate var json: JSON { ["reason": .string(reason), "count": .count(count)] }
}

extension Occurrence {
    /// A time, or a local time without a zone.
    var text: JSON {
        switch self {
        case .at(let moment): .string(RFC3339.text(moment))
        case .local(let time, _): .string(time.text)
        }
    }
}
