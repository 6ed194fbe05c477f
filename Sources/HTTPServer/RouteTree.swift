import HTTPTypes

public typealias RequestHandler = @Sendable (Request) async throws -> Response

/// One method of one pattern.
final class Route: Sendable {
    let method: HTTPRequest.Method
    let pattern: String
    let parameterNames: [String]
    let bodyLimit: Int
    let handler: RequestHandler

    init(
        method: HTTPRequest.Method, pattern: String, parameterNames: [String], bodyLimit: Int,
        handler: @escaping RequestHandler
    ) {
        self.method = method
        self.pattern = pattern
        self.parameterNames = parameterNames
        self.bodyLimit = bodyLimit
        self.handler = handler
    }
}

/// Patterns by their segments: a look-up costs a step per segment, however many routes there are.
/// A literal segment wins over a parameter.
struct RouteTree: Sendable {
    /// Segments of a path; a longer one matches nothing.
    static let maximumDepth = 32

    struct Leaf: Sendable {
        var routes: [Route] = []
        /// The Allow field.
        var allow = ""
    }

    private struct Node {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        var leaf = Leaf()
    }

    private var nodes = [Node()]

    mutating func add(_ route: Route) {
        var place = 0
        for segment in Self.segments(route.pattern[...]) {
            let isParameter = segment.hasPrefix("{") && segment.hasSuffix("}")
            if let next = isParameter ? nodes[place].parameter : nodes[place].literals[segment] {
                place = next
                continue
            }
            nodes.append(Node())
            let next = nodes.endIndex - 1
            if isParameter { nodes[place].parameter = next } else { nodes[place].literals[segment] = next }
            place = next
        }
        precondition(
            !nodes[place].leaf.routes.contains { $0.method == route.method },
            "\(route.method) \(route.pattern) is routed twice")
        nodes[place].leaf.routes.append(route)
        nodes[place].leaf.allow = Self.allow(nodes[place].leaf.routes.map(\.method))
    }

    /// The leaf for a path that is not decoded yet, and the decoded values of its parameters.
    func find(_ path: Substring) -> (Leaf, [String])? {
        var segments = Self.segments(path)
        guard segments.count <= Self.maximumDepth else { return nil }
        for index in segments.indices where segments[index].utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = PercentEncoding.decode(segments[index]) else { return nil }
            segments[index] = decoded[...]
        }
        var values: [String] = []
        guard let place = find(segments[...], from: 0, &values) else { return nil }
        return (nodes[place].leaf, values)
    }

    private func find(_ segments: ArraySlice<Substring>, from place: Int, _ values: inout [String]) -> Int? {
        guard let segment = segments.first else { return nodes[place].leaf.routes.isEmpty ? nil : place }
        let rest = segments.dropFirst()
        if let next = nodes[place].literals[segment], let found = find(rest, from: next, &values) { return found }
        guard let next = nodes[place].parameter, !segment.isEmpty else { return nil }
        values.append(String(segment))
        if let found = find(rest, from: next, &values) { return found }
        values.removeLast()
        return nil
    }

    private static func segments(_ path: Substring) -> [Substring] {
        var segments: [Substring] = []
        segments.reserveCapacity(usualDepth)
        var rest = path.utf8.dropFirst()
        while let slash = rest.firstIndex(of: .slash) {
            segments.append(Substring(rest[..<slash]))
            rest = rest[rest.index(after: slash)...]
        }
        segments.append(Substring(rest))
        return segments
    }

    /// Room for the segments of most paths.
    private static let usualDepth = 8

    private static func allow(_ methods: [HTTPRequest.Method]) -> String {
        var names = methods.map(\.rawValue)
        if names.contains("GET") && !names.contains("HEAD") { names.append("HEAD") }
        if !names.contains("OPTIONS") { names.append("OPTIONS") }
        return names.joined(separator: ", ")
    }
}
