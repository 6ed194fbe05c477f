import JSON
import Notifications

/// Values in conditions: texts, lists, numbers, ids.
extension AudienceReader {
    /// `length` in bytes.
    mutating func text(_ json: JSON, at path: String, length: ClosedRange<Int>) -> String? {
        guard case .string(let text) = json else {
            return refuse(path, "wrong-type", "must be text, not \(json.summary)")
        }
        guard length ~= text.utf8.count else {
            return text.isEmpty
                ? refuse(path, "empty", "must not be empty")
                : refuse(path, "too-long", "must be at most \(length.upperBound) bytes, not \(text.utf8.count)")
        }
        guard !text.utf8.contains(0) else {
            return refuse(path, "null-character", "must not contain the character U+0000")
        }
        return text
    }

    /// The same in the form in which texts of devices are stored.
    mutating func composedText(_ json: JSON, at path: String, length: ClosedRange<Int>) -> String? {
        text(json, at: path, length: length)?.composed
    }

    /// A list that is not empty. `most` is nil where another limit applies.
    mutating func texts(_ json: JSON, at path: String, length: ClosedRange<Int>, most: Int?) -> [String]? {
        guard case .array(let elements) = json else {
            return refuse(path, "wrong-type", "must be a list of texts, like [\"a\",\"b\"], not \(json.summary)")
        }
        guard !elements.isEmpty else { return refuse(path, "empty", "must contain at least one value") }
        if let most, elements.count > most {
            return refuse(path, "too-many", "must have at most \(most) values, not \(elements.count)")
        }
        let texts = elements.enumerated().compactMap { index, element in
            text(element, at: ProblemPath.element(index, of: path), length: length)
        }
        return texts.count == elements.count ? texts : nil
    }

    mutating func checked<Value>(
        _ json: JSON, at path: String, _ make: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard case .string(let text) = json else {
            return refuse(path, "wrong-type", "must be text, not \(json.summary)")
        }
        do throws(InvalidValue) {
            return try make(text)
        } catch {
            return refuse(path, error.code, error.message)
        }
    }

    mutating func id<Of>(_ json: JSON, at path: String, of thing: String) -> Identifier<Of>? {
        guard case .string(let text) = json, let id = Identifier<Of>(text) else {
            return refuse(path, "wrong-type", "must be a \(thing)'s id, like \"12\", not \(json.summary)")
        }
        return id
    }

    mutating func whole(_ json: JSON, at path: String, in range: ClosedRange<Int>) -> Int? {
        guard case .number(let number) = json, let whole = number.int else {
            return refuse(path, "wrong-type", "must be a whole number, like 30, not \(json.summary)")
        }
        guard range ~= whole else {
            return refuse(
                path, "out-of-range",
                "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(whole)")
        }
        return whole
    }

    /// Truncated to milliseconds, the precision of the output. A day is its beginning in UTC.
    mutating func instant(_ json: JSON, at path: String) -> Instant? {
        guard case .string(let text) = json,
            let instant = Instant(rfc3339: text)
                ?? CivilDay(text: text).flatMap({ _ in Instant(rfc3339: text + "T00:00:00Z") })
        else {
            return refuse(path, "wrong-type", "must be a time like \"2026-11-21T10:00:00Z\", not \(json.summary)")
        }
        return Instant(microseconds: instant.microseconds / 1_000 * 1_000)
    }

    mutating func day(_ json: JSON, at path: String) -> CivilDay? {
        guard case .string(let text) = json, let day = CivilDay(text: text) else {
            return refuse(path, "wrong-type", "must be a day like \"2026-11-21\", not \(json.summary)")
        }
        return day
    }

    /// A number in the range of a finite, nonzero `Double`, or 0: other numbers are not stored for devices.
    mutating func number(_ json: JSON, at path: String) -> JSON.Number? {
        guard case .number(let number) = json else {
            return refuse(path, "wrong-type", "must be a number, not \(json.summary)")
        }
        let isShort = number.text.utf8.count <= AudienceTest.maximumNumberLength
        let isPlain = !number.text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        guard isShort, let double = number.double, isPlain || double != 0 else {
            return refuse(
                path, "out-of-range",
                "must be a number between -1.7e308 and 1.7e308, not closer to 0 than 5e-324, with at most "
                    + "\(AudienceTest.maximumNumberLength) characters")
        }
        return number.canonical
    }
}
