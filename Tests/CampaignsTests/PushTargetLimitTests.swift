import Testing

@testable import Campaigns

@Suite struct PushTargetLimitTests {
    @Test(
        arguments: [
            ([1, 2, 3], 6, []), ([1, 2, 3], 5, [2]), ([1001], 1000, [0]), ([1001, 1, 50], 1000, [0]),
            ([600, 600], 1000, [1]), ([0, 0], 1, []), ([], 1, []),
            ([50, 50, 50, 1], 100, [1, 2]),
        ] as [([Int], Int, Set<Int>)])
    func targetsWithTheFewestDevicesStay(_ devices: [Int], _ limit: Int, _ excess: Set<Int>) {
        #expect(PushTargetLimit.excess(of: devices, limit: limit) == excess)
    }
}
