/// The amounts of a group of people, with a goal of values. A few very large ones would hide any difference, so a person
/// counts at most the cap.
public struct Amounts: Hashable, Sendable {
    /// Over the people, each at most the cap; of the squares, too.
    public let sum, squares: Double
    /// The same sum without a cap.
    public let uncapped: Double
    /// People above the cap.
    public let capped: Int

    public static let none = Amounts(sum: 0, squares: 0, uncapped: 0, capped: 0)

    public init(sum: Double, squares: Double, uncapped: Double, capped: Int) {
        (self.sum, self.squares, self.uncapped, self.capped) = (sum, squares, uncapped, capped)
    }
}
