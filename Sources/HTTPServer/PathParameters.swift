/// The route that a request has found, and what the `{names}` of its pattern stand for.
public struct PathParameters: Sendable {
    private var found: Route?
    private var values: [String] = []

    init() {}

    init(_ route: Route, values: [String]) {
        found = route
        self.values = values
    }

    var route: String? { found?.pattern }

    public subscript(name: String) -> String? {
        guard let index = found?.parameterNames.firstIndex(of: name) else { return nil }
        return values[index]
    }
}
