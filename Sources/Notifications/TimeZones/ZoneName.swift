public import FoundationEssentials

/// The names of time zones, in one form: IANA's present name. Names are made canonical where they enter, by a
/// table of our own, so that a zone has one name in the database, whatever a phone, a browser or this system calls it.
///
/// Docs/decisions/planning.md explains why the table is our own.
public enum ZoneName {
    /// The canonical name; nil if the text names no time zone. Accepts other names of a zone (Asia/Calcutta), any case,
    /// and the names that Foundation gives to fixed offsets (GMT+0530). White space around a name has no meaning.
    public static func canonical(_ text: String) -> String? {
        if canonicalNames.contains(text) { return text }
        guard text.utf8.count <= maximumSize else { return nil }
        if let name = names[text.lowercased()] ?? FixedOffsetZone.name(of: text) { return name }
        let trimmed = text.trimmingSpaces
        return trimmed.utf8.count < text.utf8.count ? canonical(trimmed) : nil
    }

    /// In bytes, of any name.
    static let maximumSize = 64
    public static let utc = "UTC"

    /// All canonical names, in order.
    public static let all = canonicalNames.sorted()

    /// The time zone of Foundation: its data may be older than a name (Europe/Kyiv), and then knows another one.
    ///
    /// FoundationEssentials finds the zones of the tz database by name only in a process that links Foundation, as
    /// belfry does.
    public static func zone(named text: String) -> TimeZone? {
        guard let name = canonical(text) else { return nil }
        return first(of: name) { TimeZone(identifier: $0) }
    }

    /// The result for the first name of a zone that a system knows, beginning with the canonical one.
    static func first<Zone>(of name: String, _ find: (String) -> Zone?) -> Zone? {
        find(name) ?? (aliases[name] ?? []).lazy.compactMap(find).first
    }

    /// The canonical names of zones that have another name which fulfils the condition, in lower case.
    public static func names(ofOtherNames isWanted: (String) -> Bool) -> [String] {
        aliases.filter { $0.value.contains { isWanted($0.lowercased()) } }.map(\.key).sorted()
    }

    // MARK: Table

    private static let canonicalNames: Set<String> = {
        var names: Set<String> = [utc]
        for line in places.split(separator: "\n") {
            let parts = line.split(separator: " ")
            let area = parts[0].dropLast()
            for place in parts.dropFirst() { names.insert("\(area)/\(place)") }
        }
        for hours in 1...FixedOffsetZone.maximumEast { names.insert("Etc/GMT-\(hours)") }
        for hours in 1...FixedOffsetZone.maximumWest { names.insert("Etc/GMT+\(hours)") }
        return names
    }()

    /// Other names by canonical name.
    static let aliases: [String: [String]] = {
        var aliases: [String: [String]] = [:]
        for entry in otherNames.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: "=")
            aliases[String(parts[0])] = parts[1].split(separator: ",").map(String.init)
        }
        return aliases
    }()

    /// Canonical names by all names in lower case.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for name in canonicalNames { names[name.lowercased()] = name }
        for (name, others) in aliases {
            for other in others { names[other.lowercased()] = name }
        }
        return names
    }()
}
