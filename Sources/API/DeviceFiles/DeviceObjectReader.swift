import JSON
import Notifications

/// Converts a JSON object of a file to that of a registration: its members may have the names of another vendor, those
/// that columns may have, or what a person says.
struct DeviceObjectReader: Sendable {
    private(set) var header: DeviceHeader

    /// Nil for an object that is read as it is, because each of its members is one of a registration. `mergesAttributes`
    /// says that it has single attributes.
    mutating func line(_ bytes: [UInt8]) -> (line: DeviceLineWriter.Line, mergesAttributes: Bool)? {
        guard let names = Self.names(of: bytes),
            header.hasOtherMeanings || names.contains(where: isForeign),
            case .object(let members)? = try? JSON(parsing: bytes)
        else { return nil }
        var line = DeviceLineWriter(isOfVendor: header.vendor != nil, isCSV: false)
        /// The members by what they mean.
        var sources: [String: String] = [:]
        for member in members {
            switch header.meaning(ofMember: member.key) {
            case .column(let column):
                if let other = sources.updateValue(member.key, forKey: column.name) {
                    let message: Message = "is \(column.name), and so is \(other); remove one of them"
                    line.problems.append(Problem(path: member.key, code: "duplicate-column", message: message))
                } else {
                    Self.add(column, member, to: &line)
                }
            case .leftOut, .unnamed: break
            case .unknown:
                let message: Message = DeviceHeader.unknownMessage(member.key)
                let path = String(member.key.prefix(ByteReader.maximumPathLength))
                line.problems.append(Problem(path: path, code: "unknown-field", message: message))
            }
        }
        let mergesAttributes = sources.keys.contains { $0.hasPrefix(DeviceColumn.attributePrefix) }
        for (whole, prefix) in [("attributes", DeviceColumn.attributePrefix), ("person", DeviceColumn.personPrefix)]
        where sources[whole] != nil && sources.keys.contains(where: { $0.hasPrefix(prefix) }) {
            let pattern = prefix + "…"
            let message: Message = "can't be combined with columns of single attributes (`\(pattern)`)"
            line.problems.append(Problem(path: whole, code: "not-allowed", message: message))
        }
        return (line.finish(), mergesAttributes)
    }

    private static func add(_ column: DeviceColumn, _ member: JSON.Member, to line: inout DeviceLineWriter) {
        switch (column, member.value) {
        case (.ignored, _): break
        case (.rule, .null), (.time, .null): break
        // A rule has no member of its name.
        case (_, _) where column.name == member.key && RegistrationBody.hasMember(member.key):
            line.add(member: member.key, member.value)
        case (_, .string(let text)): if !text.isEmpty { line.add(column, Array(text.utf8)[...]) }
        case (.attribute(let name, .text), _): line.add(attribute: name, ofPerson: false, member.value)
        case (.personAttribute(let name, .text), _): line.add(attribute: name, ofPerson: true, member.value)
        case (_, .null): break
        case (_, _): line.add(column, member.value.encoded()[...])
        }
    }

    /// Whether a registration has no member of this name, and a file no column that is read or ignored by it.
    private func isForeign(_ name: String) -> Bool {
        !RegistrationBody.hasMember(name) && !DeviceColumn.timeNames.contains(name)
            && !DeviceColumn.ignoredNames.contains(name)
    }

    /// The names of the object's members; nil if the bytes are no object.
    static func names(of bytes: [UInt8]) -> [String]? {
        do throws(ByteReader.Malformed) {
            return try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) -> [String]? in
                guard reader.peek() == UInt8(ascii: "{") else {
                    try reader.skip()
                    return nil
                }
                var names: [String] = []
                try reader.members { reader, name throws(ByteReader.Malformed) in
                    names.append(name)
                    try reader.skip()
                }
                return names
            }.value
        } catch {
            return nil
        }
    }
}
