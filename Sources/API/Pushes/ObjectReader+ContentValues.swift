import JSON

extension ObjectReader {
    /// In bytes of JSON.
    private static var maximumValues: Int { 4_096 }

    /// Reads values that replace attributes of every recipient; nil if there are none.
    mutating func contentValues(_ key: String) -> [JSON.Member]? {
        guard !takeNull(key), let value = take(key) else { return nil }
        guard case .object = value else {
            refuse(key, "wrong-type", "must be an object, like {\"code\": \"4711\"}")
            return nil
        }
        let length = value.encoded().count
        if length > Self.maximumValues {
            refuse(key, "too-long", "must be at most \(Self.maximumValues) bytes of JSON, not \(length)")
        }
        refuse(value.nullCharacterProblems(at: key))
        guard case .object(let members) = value.canonical else { return nil }
        return members
    }
}
