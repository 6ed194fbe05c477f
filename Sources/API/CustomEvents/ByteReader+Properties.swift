import Campaigns
import JSON
import Postgres
import Store

extension ByteReader {
    typealias Properties = Result<CustomEvent.Properties?, CustomEventFields.Fault>

    /// Reads an object of texts, numbers, true and false, in canonical form, which is nearly always its original text.
    /// A property that is null is left out. Nil: null, or nothing is left.
    mutating func properties() throws(Malformed) -> Properties {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return .success(nil)
        case UInt8(ascii: "{"): break
        default:
            try skipValue()
            return .failure(Self.fault("wrong-type", "The properties must be an object."))
        }
        var names: [String] = []
        var fault: CustomEventFields.Fault?
        var hasNull = false
        hasLooseNumber = false
        let start = position
        try members { reader, key throws(Malformed) in
            let isStorable = !reader.takeNUL()
            guard !names.contains(key) else { throw reader.repeated(key) }
            if reader.peek() == UInt8(ascii: "n") {
                try reader.word("null")
                hasNull = true
                return
            }
            names.append(key)
            let own = try reader.property(key)
            fault = fault ?? own ?? Self.fault(withName: key, isStorable: isStorable)
        }
        if let fault { return .failure(fault) }
        guard names.count <= CustomEvent.maximumProperties else {
            return .failure(
                Self.fault(
                    "too-many", "An event can have \(CustomEvent.maximumProperties) properties, not \(names.count)."))
        }
        guard !names.isEmpty else { return .success(nil) }
        var json = text(from: start)
        let isLong = json.count > CustomEvent.maximumPropertiesSize
        if hasNull || isLong || hasLooseNumber || Self.mayBeLoose(bytes[start..<position]) {
            json = try JSON(parsing: json).withoutNulls.canonical.encoded()
            names = names.map(\.composed)
        }
        guard json.count <= CustomEvent.maximumPropertiesSize else {
            return .failure(
                Self.fault(
                    "too-long",
                    "The properties must be at most \(CustomEvent.maximumPropertiesSize) bytes of JSON, not \(json.count)."
                ))
        }
        return .success(CustomEvent.Properties(JSONText(json), names: names))
    }

    /// Skips the value of a property, and returns why it can't be one.
    private mutating func property(_ name: String) throws(Malformed) -> CustomEventFields.Fault? {
        if peek() == UInt8(ascii: "{") || peek() == UInt8(ascii: "[") {
            try skipValue()
            return Self.fault(
                "wrong-type", "The property \(name) must be text, a number, true or false.", of: name)
        }
        switch try skip() {
        case nil: return nil
        case .nul:
            return Self.fault(
                "null-character", "The property \(name) must not contain the character U+0000, which can't be stored.",
                of: name)
        case .number:
            return Self.fault(
                "out-of-range", "The property \(name) must not be a number beyond 1.7e308 or below 5e-324.", of: name)
        }
    }

    private static func fault(withName name: String, isStorable: Bool) -> CustomEventFields.Fault? {
        guard CustomEventFields.name(name, isStorable: isStorable) == nil else { return nil }
        return fault("invalid-property", "The name of a property must be \(CustomEventFields.wantedName).")
    }

    private static func fault(_ code: String, _ message: Message, of property: String? = nil) -> CustomEventFields.Fault
    {
        let path = property.map { ProblemPath.member($0, of: "properties") } ?? "properties"
        return CustomEventFields.Fault(member: path, code: code, message: message)
    }
}

extension JSON {
    /// An object without its members that are null.
    fileprivate var withoutNulls: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.value != .null })
    }
}
