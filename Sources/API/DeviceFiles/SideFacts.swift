import JSON

/// Values of a line that only describe its device. A person can't change what a vendor stored, so one of them that
/// Belfry can't store must not cost the device: it is left out.
enum SideFacts {
    private static let members: Set<String> = [
        "attributes", "tags", "settings", "locale", "time_zone", "os_version", "app_version", "model", "nickname",
    ]

    static func isOne(_ member: String) -> Bool { members.contains(member) }

    static func leftOut(_ path: String) -> Problem {
        Problem(
            path: path, code: "value-left-out", message: "was left out; the rest of the line is stored",
            severity: .warning)
    }

    /// The line without the values that have these problems, and what was changed. Nil if another value has one.
    static func mend(_ line: [UInt8], _ problems: [Problem]) -> (line: [UInt8], changes: [Problem])? {
        let faulty = Set(problems.map { String($0.path.prefix { $0 != "." && $0 != "[" }) })
        guard !faulty.isEmpty, faulty.isSubset(of: members), case .object(let given)? = try? JSON(parsing: line) else {
            return nil
        }
        var changes = problems.map {
            Problem(path: $0.path, code: $0.code, message: $0.message, severity: .warning)
        }
        var kept: [JSON.Member] = []
        for member in given {
            switch (faulty.contains(member.key), member.key, member.value) {
            case (false, _, _): kept.append(member)
            case (true, "attributes", .object(let attributes)):
                let fitting = Self.fitting(attributes, &changes)
                kept.append(JSON.Member(member.key, .object(fitting)))
            case (true, "tags", .array(let tags)):
                kept.append(JSON.Member(member.key, .array(Self.fitting(tags, &changes))))
            default: changes.append(leftOut(member.key))
            }
        }
        return (JSON.object(kept).encoded(), changes)
    }

    /// The attributes that can be stored, as far as there is room.
    private static func fitting(_ attributes: [JSON.Member], _ changes: inout [Problem]) -> [JSON.Member] {
        var kept: [JSON.Member] = []
        var size = "{}".utf8.count
        for attribute in attributes {
            let alone = JSON.object([attribute]).encoded()
            let problems = try? ByteReader.read(alone) { reader throws(ByteReader.Malformed) in
                _ = try reader.attributes("attributes")
            }.problems
            if problems == [], kept.count < ByteReader.Attributes.maximumCount,
                size + alone.count <= ByteReader.Attributes.maximumSize
            {
                kept.append(attribute)
                size += alone.count
            } else {
                changes.append(leftOut(path("attributes", attribute.key)))
            }
        }
        return kept
    }

    private static func fitting(_ tags: [JSON], _ changes: inout [Problem]) -> [JSON] {
        var kept: [JSON] = []
        for (index, tag) in tags.enumerated() {
            if case .string(let text) = tag, RegistrationBody.problem(withTag: text) == nil,
                kept.count < RegistrationBody.maximumTags
            {
                kept.append(tag)
            } else {
                changes.append(leftOut("tags[\(index)]"))
            }
        }
        return kept
    }

    private static func path(_ member: String, _ name: String) -> String {
        String("\(member).\(name)".prefix(ByteReader.maximumPathLength))
    }
}
