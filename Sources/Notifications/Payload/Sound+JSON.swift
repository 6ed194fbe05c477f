import JSON

extension Sound {
    init?(_ reader: inout ObjectReader) {
        switch reader.take(APS.Key.sound) {
        case nil: return nil
        case .string(let name): self = .named(name)
        case .object(let members): self = .critical(reader.object(APS.Key.sound, members) { CriticalSound(&$0) })
        case .some(let value):
            reader.wrongType(APS.Key.sound, "text or an object", value)
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .named(let name): .string(name)
        case .critical(let sound): sound.json
        }
    }
}

extension Sound.CriticalSound {
    enum Key: String, MemberName, CaseIterable {
        case name
        case critical
        case volume

        var path: String { "\(APS.Key.sound.path).\(rawValue)" }
    }

    fileprivate init(_ reader: inout ObjectReader) {
        name = reader.string(Key.name)
        critical = reader.flag(Key.critical)
        volume = reader.number(Key.volume)
        if let volume, !volume.isWithinUnit {
            reader.refuse(Key.volume, "out-of-range", "must be from 0 to 1, not \(JSON.number(volume).summary)")
        }
        other = reader.rest
        keyOrder = reader.keyOrder
    }

    fileprivate var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.critical, critical.map { $0 ? 1 : 0 })
        members.append(Key.name, name.map { .string($0) })
        members.append(Key.volume, volume.map { .number($0) })
        return .object(keyOrder.arranged(members + other))
    }
}

extension JSON.Number {
    /// Whether the number is from 0 to 1.
    var isWithinUnit: Bool {
        double.map { (0...1).contains($0) } ?? false
    }
}
