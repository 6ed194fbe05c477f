public import FoundationEssentials
public import JSON

/// What one phone gets of all plans that are for it: as much as it keeps, and the soonest.
///
/// Who waits for a region or an update has no time. It may come at once, and is not handed out again later, as what is
/// timed is at the next fetch; so it goes first, in the order of the plans. Regions do so only as far as a phone watches
/// them. What will never come again is left out and not counted.
public struct LocalPlans: Sendable, Equatable {
    /// The soonest first.
    public let chosen: [Entry]
    /// How many would still come and did not fit.
    public let leftOut: Int

    public struct Entry: Sendable, Equatable {
        /// The identifier of its plan.
        public let plan: String
        public let notification: LocalNotification
        public let moment: LocalMoment
    }

    /// `count` is at most `LocalPlan.maximumNotifications`; `zone` is the phone's. At the same moment, the order is that
    /// of the plans and in them.
    public static func soonest(
        _ count: Int = LocalPlan.maximumNotifications, of plans: [LocalPlan], at date: Date, in zone: TimeZone
    ) -> LocalPlans {
        var waiting: [Entry] = []
        var timed: [(date: Date, order: Int, entry: Entry)] = []
        var regions = 0
        var surplusRegions = 0
        for plan in plans {
            for notification in plan.notifications {
                let moment = notification.trigger.next(after: date, in: zone)
                let entry = Entry(plan: plan.identifier, notification: notification, moment: moment)
                switch moment {
                case .never: continue
                case .at(let time): timed.append((time, timed.count, entry))
                case .anytime:
                    if notification.trigger.isRegion { regions += 1 }
                    if notification.trigger.isRegion, regions > LocalPlan.maximumRegions {
                        surplusRegions += 1
                    } else {
                        waiting.append(entry)
                    }
                }
            }
        }
        timed.sort { ($0.date, $0.order) < ($1.date, $1.order) }
        let all = waiting + timed.map(\.entry)
        let chosen = Array(all.prefix(max(0, min(count, LocalPlan.maximumNotifications))))
        return LocalPlans(chosen: chosen, leftOut: all.count - chosen.count + surplusRegions)
    }

    /// What an app in this language schedules, in place of all that it had scheduled from plans before.
    public func appJSON(for locale: LocaleTag?) -> JSON {
        [
            "notifications": .array(chosen.map { $0.notification.appJSON(inPlan: $0.plan, for: locale) }),
            "left_out": .number(JSON.Number(leftOut)),
        ]
    }
}
