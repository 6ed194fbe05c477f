import JSON

/// A schema by itself: what it refers to in the API's description is among its own `$defs`.
struct AssistantSchema {
    private let document: JSON
    private var definitions: [JSON.Member] = []
    private(set) var json: JSON = .null

    init(_ schema: JSON, _ document: JSON) {
        self.document = document
        guard case .object(var members) = rewritten(schema) else { return }
        if !definitions.isEmpty { members.append(JSON.Member("$defs", .object(definitions))) }
        json = .object(members)
    }

    private static let prefix = "#/components/schemas/"

    private mutating func rewritten(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): return .array(elements.map { rewritten($0) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard member.key == "$ref", let target = member.value.asText, target.hasPrefix(Self.prefix) else {
                        return JSON.Member(member.key, rewritten(member.value))
                    }
                    let name = String(target.dropFirst(Self.prefix.count))
                    define(name)
                    return JSON.Member("$ref", .string("#/$defs/\(name)"))
                })
        case .null, .bool, .number, .string: return json
        }
    }

    /// Takes the definition over, once: definitions refer to themselves and to each other.
    private mutating func define(_ name: String) {
        guard !definitions.contains(where: { $0.key == name }),
            let schema = document["components"]?["schemas"]?[name]
        else { return }
        let place = definitions.count
        definitions.append(JSON.Member(name, .null))
        definitions[place].value = rewritten(schema)
    }
}
