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

/// A tree of route patterns by segment. A lookup costs one step per segment, regardless of the number of routes. A
/// literal segment takes precedence over a parameter.
struct RouteTree: Sendable {
    /// The maximum number of segments of a path; a longer path matches nothing.
    static let maximumDepth = 32

    struct Leaf: Sendable {
        var routes: [Route] = []
        /// The value of the Allow field.
        var allow = ""
    }

    private struct Node {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        var leaf = Leaf()
    }

    private var nodes = [Node()]

    mutating func add(_ route: Route) {
        var node = 0
        for segment in Self.segments(route.pattern[...]) {
            let isParameter = segment.hasPrefix("{") && segment.hasSuffix("}")
            if let next = isParameter ? nodes[node].parameter : nodes[node].literals[segment] {
                node = next
                continue
            }
            nodes.append(Node())
            let next = nodes.endIndex - 1
            if isParameter { nodes[node].parameter = next } else { nodes[node].literals[segment] = next }
            node = next
        }
        precondition(
            !nodes[node].leaf.routes.contains { $0.method == route.method },
            "\(route.method) \(route.pattern) is routed twice")
        nodes[node].leaf.routes.append(route)
        nodes[node].leaf.allow = Self.allow(nodes[node].leaf.routes.map(\.method))
    }

    /// Returns the leaf for a path that is not decoded yet, and the decoded values of its parameters.
    func find(_ path: Substring) -> (Leaf, [String])? {
        var segments = Self.segments(path)
        guard segments.count <= Self.maximumDepth else { return nil }
        for index in segments.indices where segments[index].utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = PercentEncoding.decode(segments[index]) else { return nil }
            segments[index] = decoded[...]
        }
        var values: [String] = []
        guard let node = find(segments[...], from: 0, &values) else { return nil }
        return (nodes[node].leaf, values)
    }

    private func find(_ segments: ArraySlice<Substring>, from node: Int, _ values: inout [String]) -> Int? {
        guard let segment = segments.first else { return nodes[node].leaf.routes.isEmpty ? nil : node }
        let rest = segments.dropFirst()
        if let next = nodes[node].literals[segment], let found = find(rest, from: next, &values) { return found }
        guard let next = nodes[node].parameter, !segment.isEmpty else { return nil }
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
