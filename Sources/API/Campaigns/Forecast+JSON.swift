import Application
import Campaigns
import JSON
import Notifications
import Store

extension Forecaster.Result {
    /// `problems` are the reasons why the campaign can't be scheduled or started.
    func json(_ problems: [Problem]) -> JSON {
        [
            "problems": .array((problems + (test?.problems ?? [])).map(\.json)), "occurrence": .text(occurrence?.text),
            "audience": .count(audience), "is_exact": .bool(isExact),
            "margin_of_error": marginOfError.map { .count($0) } ?? .null,
            "devices_scanned": .count(devicesScanned), "counted_at": .string(RFC3339.text(countedAt)),
            "sent": .count(forecast.sent), "expired": .count(forecast.expired),
            "starts_at": forecast.startsAt.map { .string(RFC3339.text($0)) } ?? .null,
            "ends_at": forecast.endsAt.map { .string(RFC3339.text($0)) } ?? .null,
            "pushes_per_second": .count(forecast.rate),
            "held": .array(forecast.held.map { $0.json() }),
            "suppressed": .array(forecast.suppressed.map { $0.json(explanation(of: $0.reason)) }),
            "timeline": .array(
                forecast.timeline.map { step in
                    [
                        "from": .string(RFC3339.text(step.from)), "to": .string(RFC3339.text(step.to)),
                        "count": .count(step.count),
                    ]
                }),
            "next_occurrences": .array(forecast.nextOccurrences.map { .string($0.text) }),
            "test": test?.json ?? .null, "best_time": bestTime?.json ?? .null, "approval": .string(approval.rawValue),
        ]
    }
}

extension Forecaster.Result {
    /// Why recipients are left out by their clocks: nil for reasons that speak for themselves.
    fileprivate func explanation(of reason: String) -> Message? {
        guard case .local(let time, _, _)? = occurrence,
            reason == OutcomeCode.suppressionReason(OutcomeCode.suppressedLocalTimePast)
        else { return nil }
        let past: Message = "Where these recipients are, \(time.text) has passed when the run is planned."
        guard let next = forecast.nextOccurrences.first else {
            return .sentences([past, "The schedule skips them (if_past is skip)."])
        }
        return .sentences([
            past, "They get the next occurrence, \(next.text), so that nobody gets two on one day.",
        ])
    }
}

extension BestTimeForecast {
    fileprivate var json: JSON {
        [
            "hours": .array(hours.map { ["hour": .count($0.hour), "devices": .count($0.devices)] }),
            "usual_hour": .count(usualHour), "personal": .count(personal),
        ]
    }
}

extension TestPlan {
    fileprivate var json: JSON {
        [
            "goal": goal.json, "rate": .decimal(rate), "rate_is_usual": .bool(isUsualRate), "amount": .decimal(amount),
            "repeats": .bool(isRepeated),
            "detectable_difference": .decimal(detectable),
            "variants": .array(
                variants.map {
                    ["variant": .count($0.place), "name": .string($0.name), "people": .count($0.people)]
                }),
        ]
    }
}

extension Forecast.Reason {
    fileprivate func json(_ explanation: Message? = nil) -> JSON {
        var members = [JSON.Member("reason", .string(reason)), JSON.Member("count", .count(count))]
        if let explanation { members += explanation.members("explanation") }
        return .object(members)
    }
}
