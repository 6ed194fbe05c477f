public import JSON

/// Changes JSON like common mistakes: one value at a time, at any depth.
public struct JSONMutator {
    public var generator: SeededGenerator

    public init(generator: SeededGenerator) {
        self.generator = generator
    }

    public static let keys = [
        "aps", "alert", "badge", "sound", "title", "body", "loc-key", "loc-args", "title-loc-args", "action-loc-key",
        "critical", "volume", "name", "content-available", "interruption-level", "relevance-score", "timestamp",
        "event", "content-state", "stale-date", "input-push-channel", "content-changed", "url-args", "a.b", "", "x[0]",
        "thread_id", "mdm", "i", "\"", "\n",
    ]

    public mutating func mutated(_ json: JSON) -> JSON {
        switch json {
        case .object(var members) where !members.isEmpty && Int.random(in: 0..<4, using: &generator) > 0:
            let index = Int.random(in: members.indices, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: members.remove(at: index)
            case 1: members.append(JSON.Member(members[index].key, value()))
            case 2: members[index].key = Self.keys.randomElement(using: &generator)!
            case 3: members.append(JSON.Member(Self.keys.randomElement(using: &generator)!, value()))
            default: members[index].value = mutated(members[index].value)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && Bool.random(using: &generator):
            let index = Int.random(in: elements.indices, using: &generator)
            elements[index] = mutated(elements[index])
            return .array(elements)
        default: return value()
        }
    }

    private mutating func value() -> JSON {
        let likely: [JSON] = [0, 1, 2, -1, 0.5, "", "a", "start", true, false, .null, [:], [], ["a", 1], 2e12]
        return Bool.random(using: &generator)
            ? likely.randomElement(using: &generator)! : .random(depth: 2, using: &generator)
    }
}

extension JSON {
    /// All values that a problem's path leads to: several if a key occurs several times.
    public func values(at path: String) -> [JSON] {
        guard !path.isEmpty else { return [self] }
        guard let (step, rest) = Self.step(path) else { return [] }
        switch (self, step) {
        case (.object(let members), .string(let key)):
            return members.filter { $0.key == key }.flatMap { $0.value.values(at: rest) }
        case (.array(let elements), .number(let number)):
            guard let index = number.int, elements.indices.contains(index) else { return [] }
            return elements[index].values(at: rest)
        default: return []
        }
    }

    /// The first step of a path, a key or an index, and what follows on it; nil if it is not spelled as it should be.
    private static func step(_ path: String) -> (JSON, String)? {
        guard path.hasPrefix("[") else {
            let key = path.prefix { $0 != "." && $0 != "[" }
            let rest = path[key.endIndex...]
            return (.string(String(key)), String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
        }
        // A bracket may occur inside the quotes: the first one that ends a JSON value is the right one.
        for end in path.indices where path[end] == "]" {
            let inner = path[path.index(after: path.startIndex)..<end]
            guard let step = try? JSON(parsing: String(inner)) else { continue }
            let rest = path[path.index(after: end)...]
            return (step, String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
        }
        return nil
    }
}
