import Testing

@testable import Experiments

/// The values were computed by PostgreSQL, and by an independent program.
struct AssignmentTests {
    @Test(
        arguments: [
            ("u42", 1, 4_533_020_522_341_634_766),
            ("ualice@example.com", 7_436_028_519_304_712_965, 4_770_797_956_525_118_419),
            ("u周小雨", 7_436_028_519_304_712_965, 8_206_223_587_843_224_165),
            ("i2f0c1c1e-6f0a-4a57-9c3e-0d2b6f1f9a11", 7_436_028_519_304_712_965, 5_682_070_523_278_157_410),
            ("u" + String(repeating: "x", count: 11), -1, 3_591_090_424_430_660_317),
            ("u" + String(repeating: "x", count: 12), 9_223_372_036_854_775_807, 6_540_359_439_785_428_150),
        ] as [(String, Int64, Int64)])
    func pointIsThatOfPostgres(unit: String, salt: Int64, point: Int64) {
        #expect(UnitPoint(unit: unit, salt: salt).value == point)
    }

    @Test func digitsDecideDifferentThings() {
        let point = UnitPoint(value: 4_533_020_522_341_634_766)
        let decisions: [UnitPoint.Decision] = [.group, .phase, .control, .honesty, .hour]
        #expect(decisions.map { point[$0] } == [766, 634, 341, 522, 20])
    }

    @Test func changeOfWeightsMovesNobodyElse() throws {
        var map = try VariantMap(weights: [500, 300, 200])
        let before = map.variants
        try map.change(to: [600, 400, 0])
        #expect(Array(map.variants[..<800]) == Array(before[..<800]))
        #expect(map.variants[800..<900].allSatisfy { $0 == 0 } && map.variants[900...].allSatisfy { $0 == 1 })
        #expect(map.weights == [600, 400, 0])
        #expect(map.cleanCounts == [500, 300, 0])
    }

    @Test func additionMakesAllBucketsCleanAndLaterChangesDoNot() throws {
        var map = try VariantMap(weights: [500, 500])
        try map.change(to: [400, 400, 200])
        #expect(map.weights == [400, 400, 200] && map.cleanCounts == [400, 400, 200])
        try map.change(to: [450, 350, 200])
        #expect(map.weights == [450, 350, 200] && map.cleanCounts == [400, 350, 200])
    }

    @Test func removalOfAThirdVariantLeavesTheOthersComparable() throws {
        var map = try VariantMap(weights: [334, 333, 333])
        try map.change(to: [500, 500, 0])
        #expect(map.cleanCounts == [334, 333, 0])
    }

    @Test func weightsThatDoNotAddUpAreRefused() throws {
        #expect(throws: VariantMap.Mistake.sum(999)) { try VariantMap(weights: [500, 499]) }
        #expect(throws: VariantMap.Mistake.negative(variant: 1)) { try VariantMap(weights: [1_001, -1]) }
        #expect(throws: VariantMap.Mistake.count(0)) { try VariantMap(weights: []) }
        #expect(throws: VariantMap.Mistake.count(11)) { try VariantMap(weights: VariantMap.equalWeights(11)) }
        var map = try VariantMap(weights: [500, 500])
        #expect(throws: VariantMap.Mistake.count(1)) { try map.change(to: [1_000]) }
        #expect(map.weights == [500, 500])
    }

    @Test(arguments: 1...10) func equalWeightsAddUp(count: Int) throws {
        let weights = VariantMap.equalWeights(count)
        #expect(weights.reduce(0, +) == 1_000 && Set(weights.dropFirst()).count <= 1)
        #expect(weights[0] >= weights[count - 1])
    }

    @Test func holdoutGoesAroundTheThousand() {
        let period = HoldoutPeriod(from: 980, share: 50)
        #expect(period.contains(980) && period.contains(999) && period.contains(20) && period.contains(29))
        #expect(!period.contains(30) && !period.contains(979))
        #expect(period.next() == HoldoutPeriod(from: 30, share: 50))
        #expect(period.next(share: 100) == HoldoutPeriod(from: 30, share: 100))
    }

    @Test func nobodyIsHeldOutTwiceInTwentyPeriods() {
        var times = Array(repeating: 0, count: 1_000)
        var period = HoldoutPeriod(from: 412, share: 50)
        for _ in 0..<20 {
            for digit in 0..<1_000 where period.contains(digit) { times[digit] += 1 }
            period = period.next()
        }
        #expect(times.allSatisfy { $0 == 1 })
    }
}
