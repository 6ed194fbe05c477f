import Campaigns
import Experiments

/// Composes what a recipient would get, in any of a campaign's variants: for forecasts.
struct VariantComposers {
    private let composers: [ContentComposer?]
    private let variants: [UInt8]

    /// The contents in the order of the variants; nil for one that doesn't compile. `now` is when they would be sent, in
    /// seconds since 1970.
    init(_ contents: [CompiledContent?], weights: [Int], now: Int) {
        composers = contents.map { $0.map { ContentComposer($0, now: now) } }
        variants = (try? VariantMap(weights: weights))?.variants ?? []
    }

    var needs: [Field] { composers.lazy.compactMap { $0 }.first?.content.needs ?? [] }

    /// A recipient who can't get one variant gets none. A payload that is too long is a matter of the variant that the recipient
    /// gets: which one is drawn by the device here, since only the shares matter.
    func outcome(for device: Int64, _ values: (Int) -> UnsafeRawBufferPointer?) -> ComposeOutcome {
        let bucket = Int((UInt64(bitPattern: device) &* 0x9e37_79b9_7f4a_7c15) >> 32 % UInt64(VariantMap.bucketCount))
        let own = variants.indices.contains(bucket) ? Int(variants[bucket]) : 0
        var result = ComposeOutcome.written(0)
        for (index, composer) in composers.enumerated() {
            switch composer?.trial(values) {
            case .missing(let field): return .missing(field)
            case .unusable(let field): return .unusable(field)
            case .tooLong where index == own: result = .tooLong
            case .written, .tooLong, nil: break
            }
        }
        return result
    }
}
