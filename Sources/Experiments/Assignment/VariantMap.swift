/// The variant of each of 1,000 buckets, into which people fall by a digit of their point. When weights change, as few
/// people as possible change their variant.
public struct VariantMap: Equatable, Sendable {
    public static let bucketCount = 1_000
    public static let maximumVariants = 10

    public enum Mistake: Error, Equatable, Sendable {
        /// No variant, or more than ten.
        case count(Int)
        /// A weight below 0.
        case negative(variant: Int)
        /// Weights whose sum is not 1,000.
        case sum(Int)
    }

    /// The variant of each bucket, from 0.
    public private(set) var variants: [UInt8]
    /// The number of the change that last gave the bucket to another variant; 0 at first.
    public private(set) var lastChanges: [Int]
    /// The number of the change that last added a variant.
    public private(set) var lastAddition = 0
    private var changes = 0
    /// Those that there are or were; a removed one has the weight 0.
    public private(set) var variantCount: Int

    /// Weights in thousandths, the first variant first.
    public init(weights: [Int]) throws(Mistake) {
        try Self.check(weights)
        variants = weights.enumerated().flatMap { Array(repeating: UInt8($0.offset), count: $0.element) }
        lastChanges = Array(repeating: 0, count: Self.bucketCount)
        variantCount = weights.count
    }

    /// The first weights, and after them those of each change.
    public init(history: [[Int]]) throws(Mistake) {
        try self.init(weights: history.first ?? [])
        for weights in history.dropFirst() { try change(to: weights) }
    }

    /// The first variant gets what is left over.
    public static func equalWeights(_ count: Int) -> [Int] {
        guard count > 0 else { return [] }
        let share = bucketCount / count
        return [bucketCount - share * (count - 1)] + Array(repeating: share, count: count - 1)
    }

    public var weights: [Int] {
        variants.reduce(into: Array(repeating: 0, count: variantCount)) { $0[Int($1)] += 1 }
    }

    /// Variants with too many buckets release their highest ones. These go in order to variants with too few; nobody
    /// else moves.
    public mutating func change(to target: [Int]) throws(Mistake) {
        try Self.check(target)
        guard target.count >= variantCount else { throw .count(target.count) }
        changes += 1
        if target.count > variantCount { (variantCount, lastAddition) = (target.count, changes) }
        var weights = weights
        var released: [Int] = []
        for bucket in variants.indices.reversed() where weights[Int(variants[bucket])] > target[Int(variants[bucket])] {
            weights[Int(variants[bucket])] -= 1
            released.append(bucket)
        }
        var receiver = 0
        for bucket in released.reversed() {
            while weights[receiver] >= target[receiver] { receiver += 1 }
            variants[bucket] = UInt8(receiver)
            weights[receiver] += 1
            lastChanges[bucket] = changes
        }
    }

    /// Whether the people of a bucket can be compared: it did not change since the newest variant was added.
    public func isClean(_ bucket: Int) -> Bool { lastChanges[bucket] <= lastAddition }

    /// The numbers of clean buckets, by variant.
    public var cleanCounts: [Int] {
        variants.indices.reduce(into: Array(repeating: 0, count: variantCount)) { counts, bucket in
            if isClean(bucket) { counts[Int(variants[bucket])] += 1 }
        }
    }

    private static func check(_ weights: [Int]) throws(Mistake) {
        guard (1...maximumVariants).contains(weights.count) else { throw .count(weights.count) }
        if let variant = weights.firstIndex(where: { $0 < 0 }) { throw .negative(variant: variant) }
        let sum = weights.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        guard sum == bucketCount, weights.allSatisfy({ $0 <= bucketCount }) else { throw .sum(sum) }
    }
}
