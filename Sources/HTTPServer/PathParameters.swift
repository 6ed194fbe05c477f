/// What the `{names}` of a route's pattern stand for in one request.
public struct PathParameters: Sendable {
    private var names: [String] = []
    private var values: [String] = []

    init() {}

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    public subscript(name: String) -> String? {
        guard let index = names.firstIndex(of: name) else { return nil }
        return values[index]
    }
}
