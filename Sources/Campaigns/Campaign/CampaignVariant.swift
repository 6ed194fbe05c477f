/// One of the contents of a campaign. A campaign without an A/B test has one.
public struct CampaignVariant: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 40

    public var name: String
    public var body: CampaignContent.Body

    public init(name: String, body: CampaignContent.Body) {
        self.name = name
        self.body = body
    }

    /// A to J, by the variant's place.
    public static func standardName(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: min(index, 25))))
    }
}
