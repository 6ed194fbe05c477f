extension ObjectReader {
    public mutating func string(_ key: some MemberName) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else {
            wrongType(key, "text", value)
            return nil
        }
        return text
    }

    /// The lines of a text.
    public enum TextForm: Sendable {
        /// A name: one line, see `NameText`, in form C, in which lists search for it.
        case line
        /// Every character that PostgreSQL can store.
        case any
    }

    /// A text that PostgreSQL can store; `length` is in Unicode scalars, as PostgreSQL's `char_length` counts.
    public mutating func text(
        _ key: some MemberName, length: ClosedRange<Int>, as form: TextForm = .line
    ) -> String? {
        guard let text = string(key) else { return nil }
        let count = text.unicodeScalars.count
        guard length ~= count else {
            refuse(
                key, count < length.lowerBound ? "too-short" : "too-long",
                "must have \(length.lowerBound) to \(length.upperBound) characters, not \(count)")
            return nil
        }
        guard !text.unicodeScalars.contains("\0") else {
            refuse(key, "bad-character", "must not contain the character U+0000")
            return nil
        }
        if form == .line, let problem = NameText.problem(text) {
            refuse(key, problem.code, problem.message)
            return nil
        }
        return form == .line ? text.composed : text
    }

    /// A text in a certain format, such as a key id.
    public mutating func value<Value>(
        _ key: some MemberName, _ make: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard let text = string(key) else { return nil }
        return checked(text, at: ProblemPath.member(key.memberName, of: ""), make)
    }

    /// Checks a text that was already read; `path` is relative to this object, built by `ProblemPath`.
    public mutating func checked<Value>(
        _ text: String, at path: String, _ make: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        do throws(InvalidValue) {
            return try make(text)
        } catch {
            refuse(at: path, error.code, error.message)
            return nil
        }
    }

    /// A case of an enum.
    public mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: some MemberName) -> Choice? {
        choice(key, among: Array(Choice.allCases))
    }

    public mutating func choice<Choice: RawRepresentable<String>>(
        _ key: some MemberName, among choices: [Choice]
    ) -> Choice? {
        guard let text = string(key) else { return nil }
        if let choice = choices.first(where: { $0.rawValue == text }) { return choice }
        let names = choices.map(\.rawValue)
        let suggestion = Spelling.suggestion(for: text, among: names)
        refuse(
            key, "unknown-value", "must be \(names.alternatives), not \(JSON.string(text).summary)\(suggestion)")
        return nil
    }

    public mutating func bool(_ key: some MemberName) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value else {
            wrongType(key, "true or false", value)
            return nil
        }
        return bool
    }

    public mutating func number(_ key: some MemberName) -> JSON.Number? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value else {
            wrongType(key, "a number", value)
            return nil
        }
        return number
    }

    public mutating func whole(_ key: some MemberName, in range: ClosedRange<Int>) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let whole = number.int else {
            wrongType(key, "a whole number", value)
            return nil
        }
        guard range ~= whole else {
            refuse(key, "out-of-range", "must be from \(range.lowerBound) to \(range.upperBound), not \(whole)")
            return nil
        }
        return whole
    }

    /// A whole number that is not negative.
    public mutating func count(_ key: some MemberName) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let count = number.int else {
            wrongType(key, "a whole number, like 2", value)
            return nil
        }
        guard count >= 0 else {
            refuse(key, "out-of-range", "must be 0 or more, not \(count)")
            return nil
        }
        return count
    }

    public mutating func double(_ key: some MemberName, in range: ClosedRange<Double>) -> Double? {
        guard let number = number(key) else { return nil }
        guard let double = number.double, range ~= double else {
            let (low, high) = (JSON.Number(shortest: range.lowerBound), JSON.Number(shortest: range.upperBound))
            refuse(key, "out-of-range", "must be from \(low.text) to \(high.text), not \(number.text)")
            return nil
        }
        return double
    }

    /// The members of an object, as they are.
    public mutating func members(_ key: some MemberName) -> [JSON.Member]? {
        guard let value = take(key) else { return nil }
        guard case .object(let members) = value else {
            wrongType(key, "an object", value)
            return nil
        }
        return members
    }
}

extension JSON.Number {
    /// Without a trailing `.0`; 0 for infinities and NaN, which JSON can't represent.
    public init(shortest value: Double) {
        if let whole = Int(exactly: value) {
            self.init(whole)
        } else {
            self = JSON.Number(value) ?? 0
        }
    }
}
