/// The route of a request, and the values of the `{names}` in its pattern.
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
