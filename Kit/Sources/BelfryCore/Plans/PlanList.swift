/// The answer of `GET …/local-plans/scheduled`.
struct PlanList: ServerValue {
    /// The soonest first.
    let notifications: [PlannedNotification]
    /// Notifications of the server that did not fit.
    let omittedCount: Int
    /// Notifications that this version of the kit can't read. They are left out.
    let unreadableCount: Int

    let json: JSONValue

    init?(_ json: JSONValue) {
        guard let elements = json["notifications"]?.array else { return nil }
        notifications = elements.compactMap(PlannedNotification.init)
        unreadableCount = elements.count - notifications.count
        omittedCount = json["omitted_count"]?.integer ?? 0
        self.json = json
    }
}

extension PlannedNotification: ServerValue {
    init?(_ json: JSONValue) {
        guard let identifier = json["identifier"]?.string, let trigger = json["trigger"].flatMap(Trigger.init),
            let content = json["content"]
        else { return nil }
        // A last day that can't be read does not mean "without end".
        if let day = json["last_day"], day != .null, day.string == nil { return nil }
        self.identifier = identifier
        self.trigger = trigger
        self.content = content
        lastDay = json["last_day"]?.string
        self.json = json
    }
}

extension PlannedNotification.Trigger {
    init?(_ json: JSONValue) {
        let repeats = json["repeats"]?.bool ?? false
        switch json["type"]?.string {
        case "interval":
            guard let seconds = json["seconds"]?.double else { return nil }
            self = .interval(seconds: seconds, repeats: repeats)
        case "calendar":
            guard let members = json["components"]?.object else { return nil }
            let components = members.compactMapValues(\.integer)
            // A time without one of its components would come more often.
            guard components.count == members.count else { return nil }
            self = .calendar(components, timeZone: json["time_zone"]?.string, repeats: repeats)
        case "region":
            guard let region = PlannedNotification.Region(json) else { return nil }
            self = .region(region, repeats: repeats)
        case "app_update":
            guard let seconds = json["seconds"]?.double else { return nil }
            self = .appUpdate(seconds: seconds)
        case let other?: self = .unknown(other)
        case nil: return nil
        }
    }
}

extension PlannedNotification.Region {
    fileprivate init?(_ json: JSONValue) {
        guard let identifier = json["identifier"]?.string, let latitude = json["latitude"]?.double,
            let longitude = json["longitude"]?.double, let radius = json["radius"]?.double
        else { return nil }
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        onExit = json["on_exit"]?.bool ?? false
        // The way in is the default, unless the way out is asked for.
        onEntry = json["on_entry"]?.bool ?? !onExit
    }
}
