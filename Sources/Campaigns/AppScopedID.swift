/// The primary key of a row that belongs to an app.
public struct AppScopedID<Of>: Hashable, Sendable, CustomStringConvertible {
    public let app: App.ID
    public let id: Identifier<Of>

    public init(app: App.ID, id: Identifier<Of>) {
        self.app = app
        self.id = id
    }

    /// IDs are unique over all apps, so logs name only them.
    public var description: String { id.description }
}
