/// A template's version, as a campaign names it.
public struct TemplateReference: Hashable, Sendable {
    public let id: Template.ID
    public let version: Int

    public init(id: Template.ID, version: Int) {
        self.id = id
        self.version = version
    }
}
