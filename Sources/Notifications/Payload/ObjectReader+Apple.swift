import JSON

/// Values as Apple writes them in payloads.
extension ObjectReader {
    /// A time in seconds since 1970.
    mutating func seconds(_ key: some MemberName) -> JSON.Number? {
        guard let number = number(key) else { return nil }
        let limit = Double(PushRules.maximumExpiration)
        guard let seconds = number.double, (0..<limit).contains(seconds) else {
            let isTooLarge = number.double.map { $0 >= limit } ?? false
            let hint: Message = isTooLarge ? ", which looks like milliseconds" : ""
            refuse(
                key, "out-of-range",
                "must be a time in seconds since 1970, not \(JSON.number(number).summary)\(hint)")
            return nil
        }
        return number
    }

    /// Apple's booleans: the numbers 1 and 0; `true` and `false` have the wrong type.
    mutating func flag(_ key: some MemberName) -> Bool? {
        guard let value = take(key) else { return nil }
        if case .number(let number) = value, let whole = number.int, 0...1 ~= whole { return whole == 1 }
        wrongType(key, "the number 1 or 0", value)
        return nil
    }
}
