/// The decoded items of a query, in order.
public struct QueryItems: Sendable {
    public let items: [(name: String, value: String)]

    /// The first value of that name.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    public func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// Returns nil if a percent escape is invalid.
    init?(_ query: Substring) {
        var items: [(name: String, value: String)] = []
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }
}
