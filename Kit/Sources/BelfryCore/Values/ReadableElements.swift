/// A list of which each element is read by itself: one that a later server makes differently does not hide the others.
struct ReadableElements<Element: Decodable>: Decodable {
    private struct Attempt: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }

    let elements: [Element]
    /// Elements that could not be read.
    let unreadable: Int

    init(from decoder: any Decoder) throws {
        let attempts = try decoder.singleValueContainer().decode([Attempt].self)
        elements = attempts.compactMap(\.element)
        unreadable = attempts.count - elements.count
    }
}
