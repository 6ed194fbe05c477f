public import FoundationEssentials
public import JSON

/// The notifications that one device gets from all of its plans: the soonest, up to the number that it stores.
///
/// Notifications that wait for a region or an app update have no time and may fire immediately, so they come first, in
/// the order of the plans. Regions are limited to the number that a device monitors. Notifications that will never fire
/// again are omitted and not counted.
public struct LocalPlanSelection: Sendable, Equatable {
    /// The soonest first.
    public let selected: [Entry]
    /// The number of notifications that would still fire but did not fit.
    public let omittedCount: Int

    public struct Entry: Sendable, Equatable {
        public let plan: LocalPlan
        public let notification: LocalNotification
        public let moment: LocalFireTime
    }

    /// Selects up to `count` notifications, at most `LocalPlan.maximumNotifications`; `zone` is the device's.
    /// Notifications at the same moment are in the order of the plans.
    public static func soonest(
        _ count: Int = LocalPlan.maximumNotifications, of plans: [LocalPlan], at date: Date, in zone: TimeZone
    ) -> LocalPlanSelection {
        var waiting: [Entry] = []
        var timed: [(date: Date, order: Int, entry: Entry)] = []
        var regions = 0
        var surplusRegions = 0
        for plan in plans {
            for notification in plan.notifications {
                let moment = notification.next(after: date, in: zone)
                let entry = Entry(plan: plan, notification: notification, moment: moment)
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
        let selected = Array(all.prefix(max(0, min(count, LocalPlan.maximumNotifications))))
        return LocalPlanSelection(selected: selected, omittedCount: all.count - selected.count + surplusRegions)
    }

    /// The notifications that an app in this language schedules, replacing everything that it had scheduled from plans.
    public func appJSON(for locale: LocaleTag?) -> JSON {
        [
            "notifications": .array(selected.map { $0.notification.appJSON(in: $0.plan, for: locale) }),
            "omitted_count": .number(JSON.Number(omittedCount)),
        ]
    }
}
