extension ObjectReader {
    mutating func double(_ key: some RawRepresentable<String>, in range: ClosedRange<Double>) -> Double? {
        guard let number = number(key) else { return nil }
        guard let double = number.double, range ~= double else {
            let (low, high) = (JSON.Number(shortest: range.lowerBound), JSON.Number(shortest: range.upperBound))
            refuse(key, "out-of-range", "must be from \(low.text) to \(high.text), not \(number.text)")
            return nil
        }
        return double
    }

    public mutating func whole(_ key: some RawRepresentable<String>, in range: ClosedRange<Int>) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let whole = number.int else {
            wrongType(key, "a whole number", value)
            return nil
        }
        guard range ~= whole else {
            refuse(
                key, "out-of-range",
                "must be from \(range.lowerBound) to \(range.upperBound), not \(whole)")
            return nil
        }
        return whole
    }

    /// A text with a form of its own.
    public mutating func value<Value>(
        _ key: some RawRepresentable<String>, _ make: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard let text = string(key) else { return nil }
        return checked(text, at: key.rawValue, make)
    }

    mutating func checked<Value>(
        _ text: String, at place: String, _ make: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        do throws(InvalidValue) {
            return try make(text)
        } catch {
            refuse(at: place, error.code, error.message)
            return nil
        }
    }

    /// A list of texts with a form of their own.
    mutating func values<Value>(
        _ key: some RawRepresentable<String>, _ make: (String) throws(InvalidValue) -> Value
    ) -> [Value]? {
        elements(key, "a list of texts") { reader, place, element in
            guard case .string(let text) = element else {
                reader.refuse(at: place, "wrong-type", "must be text, not \(element.words)")
                return nil
            }
            return reader.checked(text, at: place, make)
        }
    }
}

extension JSON.Number {
    /// Without a needless `.0`; 0 for what JSON cannot say.
    init(shortest value: Double) {
        if let whole = Int(exactly: value) {
            self.init(whole)
        } else {
            self = JSON.Number(value) ?? 0
        }
    }
}
