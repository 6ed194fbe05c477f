import Campaigns
import Experiments
import JSON

/// The weights of a campaign's variants, as they were since its first run: who got which variant follows from all of
/// them, because a change of weights moves as few people as possible.
struct VariantWeights: Hashable {
    /// Lists that are kept, the present one included.
    static let maximumCount = 100

    /// Lists of thousandths, the first ones first.
    private(set) var history: [[Int]]

    init(_ weights: [Int]) {
        history = [weights]
    }

    private init(history: [[Int]]) {
        self.history = history
    }

    static func read(_ text: String?) throws -> VariantWeights? {
        guard let text, case .array(let lists) = try JSON(parsing: text) else { return nil }
        return VariantWeights(history: lists.map(numbers))
    }

    private static func numbers(_ list: JSON) -> [Int] {
        guard case .array(let elements) = list else { return [] }
        return elements.compactMap { if case .number(let number) = $0 { number.int } else { nil } }
    }

    var json: JSON { .array(history.map { .array($0.map { .number(JSON.Number($0)) }) }) }
    var current: [Int] { history.last ?? [] }

    /// Everybody's variant.
    var map: VariantMap {
        get throws { try VariantMap(history: history) }
    }

    /// After a run. Variants that were sent keep their places.
    func changed(to weights: [Int]) throws -> VariantWeights {
        guard weights.count >= current.count else { throw Refusal.variantWasSent }
        guard weights != current else { return self }
        guard history.count < Self.maximumCount else { throw Refusal.tooManyWeightChanges(Self.maximumCount) }
        return VariantWeights(history: history + [weights])
    }
}
