public import JSON

extension LocalTrigger {
    private enum Kind: String, MemberName, CaseIterable {
        case interval
        case calendar
        case region
        case appUpdate = "app_update"
    }

    fileprivate enum Key: String, MemberName {
        case type
        case seconds
        case components
        case timeZone = "time_zone"
        case repeats
        case identifier
        case latitude
        case longitude
        case radius
        case onEntry = "on_entry"
        case onExit = "on_exit"
    }

    /// A stand-in for a trigger that could not be read; a problem has the reason.
    static let unreadable = LocalTrigger.appUpdate(seconds: 0)

    init(_ reader: inout ObjectReader) {
        reader.require(Key.type)
        guard let kind: Kind = reader.choice(Key.type) else {
            reader.skipRest()
            self = .unreadable
            return
        }
        switch kind {
        case .interval: self = Self.interval(&reader)
        case .calendar: self = Self.calendar(&reader)
        case .region:
            self = .region(Region(&reader), repeats: reader.bool(Key.repeats) ?? false)
        case .appUpdate: self = .appUpdate(seconds: reader.double(Key.seconds, in: 0...Self.maximumInterval) ?? 0)
        }
    }

    private static func interval(_ reader: inout ObjectReader) -> LocalTrigger {
        reader.require(Key.seconds)
        let repeats = reader.bool(Key.repeats) ?? false
        guard let number = reader.number(Key.seconds) else { return .unreadable }
        let seconds = number.double ?? .infinity
        if seconds <= 0 || seconds > maximumInterval {
            let limit = JSON.Number(shortest: maximumInterval).text
            reader.refuse(
                Key.seconds, "out-of-range", "must be more than 0 and at most \(limit), not \(number.text)")
        } else if repeats, seconds < minimumRepeatingInterval {
            reader.refuse(
                Key.seconds, "repeats-too-often",
                "must be at least \(JSON.Number(shortest: minimumRepeatingInterval).text) when it repeats, "
                    + "not \(number.text): iOS rejects shorter intervals")
        }
        return .interval(seconds: seconds, repeats: repeats)
    }

    private static func calendar(_ reader: inout ObjectReader) -> LocalTrigger {
        reader.require(Key.components)
        let components = reader.closedObject(Key.components) { CalendarComponents(&$0) } ?? CalendarComponents()
        let name = reader.string(Key.timeZone)
        let timeZone = name.flatMap { ZoneName.canonical($0) }
        if let name, timeZone == nil {
            reader.refuse(
                Key.timeZone, "unknown-time-zone",
                "must be a time zone like Europe/Berlin, not \(JSON.string(name).summary); "
                    + "omit it to use the device's time zone")
        }
        return .calendar(components, timeZone: timeZone, repeats: reader.bool(Key.repeats) ?? false)
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        switch self {
        case .interval(let seconds, let repeats):
            members.append(Key.type, .string(Kind.interval.rawValue))
            members.append(Key.seconds, .number(JSON.Number(shortest: seconds)))
            members.append(Key.repeats, .bool(repeats))
        case .calendar(let components, let timeZone, let repeats):
            members.append(Key.type, .string(Kind.calendar.rawValue))
            members.append(Key.components, components.json)
            members.append(Key.timeZone, timeZone.map { .string($0) })
            members.append(Key.repeats, .bool(repeats))
        case .region(let region, let repeats):
            members.append(Key.type, .string(Kind.region.rawValue))
            region.append(to: &members)
            members.append(Key.repeats, .bool(repeats))
        case .appUpdate(let seconds):
            members.append(Key.type, .string(Kind.appUpdate.rawValue))
            members.append(Key.seconds, .number(JSON.Number(shortest: seconds)))
        }
        return .object(members)
    }
}

extension LocalTrigger.Region {
    private typealias Key = LocalTrigger.Key

    fileprivate init(_ reader: inout ObjectReader) {
        reader.require(Key.identifier, Key.latitude, Key.longitude, Key.radius)
        self.init(
            identifier: reader.value(Key.identifier, ClientIdentifier.check) ?? "",
            latitude: reader.double(Key.latitude, in: -90...90) ?? 0,
            longitude: reader.double(Key.longitude, in: -180...180) ?? 0,
            radius: reader.double(Key.radius, in: Self.radii) ?? 1)
        let entry = reader.bool(Key.onEntry)
        let exit = reader.bool(Key.onExit)
        // `on_exit` alone does not imply `on_entry`.
        onEntry = entry ?? (exit != true)
        onExit = exit ?? false
        if !onEntry, !onExit {
            reader.refuse(Key.onEntry, "never-fires", "must be true, unless \(Key.onExit.rawValue) is")
        }
    }

    fileprivate func append(to members: inout [JSON.Member]) {
        members.append(Key.identifier, .string(identifier))
        members.append(Key.latitude, .number(JSON.Number(shortest: latitude)))
        members.append(Key.longitude, .number(JSON.Number(shortest: longitude)))
        members.append(Key.radius, .number(JSON.Number(shortest: radius)))
        members.append(Key.onEntry, .bool(onEntry))
        members.append(Key.onExit, .bool(onExit))
    }
}
