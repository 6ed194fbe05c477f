/// A list of which each element is read by itself: one that a later server makes differently does not hide the others.
struct ReadableElements<Element: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    private struct Attempt: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }

    let elements: [Element]
    /// Elements that could not be read.
    let unreadableCount: Int

    init(_ elements: [Element]) {
        self.elements = elements
        unreadableCount = 0
    }

    init(from decoder: any Decoder) throws {
        let attempts = try decoder.singleValueContainer().decode([Attempt?].self)
        elements = attempts.compactMap { $0?.element }
        unreadableCount = attempts.count - elements.count
    }

    /// Unreadable elements become null, so that they count in the kit's own file, too.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements + Array<Element?>(repeating: nil, count: unreadableCount))
    }
}
