import Campaigns
import JSON
import Notifications
import Store

extension ByteReader {
    /// A list of words without order, or null for the empty one: sorted by their bytes, each once. `check` says what is
    /// wrong with a word. Nil when there is a problem with it.
    mutating func words(
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
        var words: [String] = []
        var count = 0
        try elements { reader throws(Malformed) in
            let place = "\(path)[\(count)]"
            count += 1
            guard let word = try reader.requiredText(place) else { return }
            if let problem = check(word) { return reader.refuse(place, problem.code, problem.message) }
            words.append(word)
        }
        if count > maximumCount { refuse(path, "too-many", "must be at most \(maximumCount), not \(count)") }
        words.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        words = words.enumerated().filter {
            $0.offset == 0 || !words[$0.offset - 1].utf8.elementsEqual($0.element.utf8)
        }
        .map(\.element)
        return problems.count == problemsBefore ? words : nil
    }

    /// What the phone shows of a notification, or null for nothing known: an object of `NotificationSetting`s, as JSON
    /// in their order. Nil when there is a problem with it.
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
            guard let word = try reader.requiredText("\(path).\(name)") else { return }
            values[setting] = NotificationSetting.Value(rawValue: word)
            if values[setting] == nil {
                let words = NotificationSetting.Value.allCases.map(\.rawValue).joined(separator: ", ")
                reader.refuse("\(path).\(name)", "unknown-setting", "must be one of \(words)")
            }
        }
        guard problems.count == problemsBefore else { return nil }
        var writer = JSONObjectWriter()
        for setting in NotificationSetting.allCases { writer.text(setting.rawValue, values[setting]?.rawValue) }
        return writer.finish()
    }

    /// True or false; nil when it is something else.
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
