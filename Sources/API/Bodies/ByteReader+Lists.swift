import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// Reads a set of texts, or null for the empty set: sorted by their bytes, without duplicates. `check` returns what
    /// is wrong with a text. Nil if there is any problem.
    mutating func strings(
        _ path: String, atMost maximumCount: Int, _ check: (String) -> InvalidValue?
    ) throws(Malformed) -> [String]? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return []
        case UInt8(ascii: "["): break
        default:
            try wrongType(path, "a list of texts")
            return nil
        }
        let problemsBefore = problems.count
        var texts: [String] = []
        var count = 0
        try elements { reader throws(Malformed) in
            let elementPath = "\(path)[\(count)]"
            count += 1
            guard let text = try reader.requiredText(elementPath) else { return }
            if let problem = check(text) { return reader.refuse(elementPath, problem.code, problem.message) }
            texts.append(text.composed)
        }
        if count > maximumCount { refuse(path, "too-many", "must contain at most \(maximumCount), not \(count)") }
        texts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        texts = texts.enumerated().filter {
            $0.offset == 0 || !texts[$0.offset - 1].utf8.elementsEqual($0.element.utf8)
        }
        .map(\.element)
        return problems.count == problemsBefore ? texts : nil
    }

    /// Reads an object of `NotificationSetting`s, or null for none, and returns it as JSON in the order of the
    /// settings. Nil if there is any problem.
    mutating func settings(_ path: String) throws(Malformed) -> [UInt8]? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return Array("{}".utf8)
        case UInt8(ascii: "{"): break
        default:
            try wrongType(path, "an object")
            return nil
        }
        let problemsBefore = problems.count
        var values: [NotificationSetting: NotificationSetting.Value] = [:]
        var seen: Set<String> = []
        try members { reader, name throws(Malformed) in
            guard seen.insert(name).inserted else { throw reader.repeated(name) }
            _ = reader.takeNUL()
            guard let setting = NotificationSetting(rawValue: name) else {
                return try reader.unknownMember("\(path).\(name)")
            }
            guard let value = try reader.requiredText("\(path).\(name)") else { return }
            values[setting] = NotificationSetting.Value(rawValue: value)
            if values[setting] == nil {
                let names = NotificationSetting.Value.allCases.map(\.rawValue).list
                reader.refuse("\(path).\(name)", "unknown-setting", "must be one of \(names)")
            }
        }
        guard problems.count == problemsBefore else { return nil }
        var writer = JSONObjectWriter()
        for setting in NotificationSetting.allCases { writer.text(setting.rawValue, values[setting]?.rawValue) }
        return writer.finish()
    }

    /// Reads true or false. For anything else adds a problem and returns nil.
    mutating func flag(_ path: String) throws(Malformed) -> Bool? {
        switch peek() {
        case UInt8(ascii: "t"):
            try word("true")
            return true
        case UInt8(ascii: "f"):
            try word("false")
            return false
        default:
            try wrongType(path, "true or false")
            return nil
        }
    }
}
