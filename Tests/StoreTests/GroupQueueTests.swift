import Testing

@testable import Store

struct GroupQueueTests {
    private func makeQueue(group: Int = 3, waiting: Int = 5, underWay: Int = 1) -> GroupQueue<Int> {
        GroupQueue(limits: GroupLimits(groupWeight: group, waitingWeight: waiting, groupsUnderWay: underWay))
    }

    private func requests(_ group: [GroupQueue<Int>.Entry]?) -> [Int]? { group?.map(\.request) }

    @Test func firstRequestGoesAtOnceAndTheNextOnesFormAGroup() {
        var queue = makeQueue()
        #expect(queue.add(1, weight: 1))
        #expect(requests(queue.next()) == [1])
        #expect(queue.add(2, weight: 1))
        #expect(queue.add(3, weight: 1))
        #expect(queue.next() == nil)
        queue.stored()
        #expect(requests(queue.next()) == [2, 3])
        queue.stored()
        #expect(queue.next() == nil)
        #expect(queue.isEmpty)
    }

    @Test func groupHoldsItsWeightAndNotOneMore() {
        var queue = makeQueue(group: 3, waiting: 5)
        for request in 1...4 { #expect(queue.add(request, weight: 1)) }
        #expect(requests(queue.next()) == [1, 2, 3])
        queue.stored()
        #expect(requests(queue.next()) == [4])
    }

    @Test func requestHeavierThanAGroupGoesAlone() {
        var queue = makeQueue(group: 3, waiting: 20)
        #expect(queue.add(1, weight: 10))
        #expect(queue.add(2, weight: 1))
        #expect(requests(queue.next()) == [1])
    }

    @Test func waitersAreTakenUpToTheLimitAndNotOneMore() {
        var queue = makeQueue(group: 3, waiting: 5)
        for request in 1...5 { #expect(queue.add(request, weight: 1)) }
        #expect(!queue.add(6, weight: 1))
        #expect(requests(queue.next()) == [1, 2, 3])
        #expect(queue.waitingWeight == 2)
        #expect(queue.add(6, weight: 3))
        #expect(!queue.add(7, weight: 1))
    }

    @Test func heavyRequestIsTakenWhenNobodyWaits() {
        var queue = makeQueue(group: 3, waiting: 5)
        #expect(queue.add(1, weight: 100))
        #expect(!queue.add(2, weight: 1))
    }

    @Test func noMoreGroupsAreUnderWayThanAllowed() {
        var queue = makeQueue(group: 1, waiting: 5, underWay: 2)
        for request in 1...3 { _ = queue.add(request, weight: 1) }
        #expect(requests(queue.next()) == [1])
        #expect(requests(queue.next()) == [2])
        #expect(queue.next() == nil)
        queue.stored()
        #expect(requests(queue.next()) == [3])
    }

    @Test(arguments: 1...9, 1...9)
    func halvingFindsTheGuiltyOneAndStoresEverybodyElse(size: Int, guilty: Int) {
        guard guilty <= size else { return }
        var queue = makeQueue(group: size, waiting: size)
        for request in 1...size { _ = queue.add(request, weight: 1) }
        var stored: [Int] = []
        var found: [Int] = []
        while let group = queue.next() {
            guard group.contains(where: { $0.request == guilty }) else {
                stored += group.map(\.request)
                queue.stored()
                continue
            }
            if let one = queue.refused(group) { found.append(one) }
        }
        #expect(found == [guilty])
        #expect(stored == (1...size).filter { $0 != guilty })
        #expect(queue.isEmpty)
    }

    @Test func halvesGoBeforeThoseWhoCameLater() {
        var queue = makeQueue(group: 2, waiting: 5)
        for request in 1...3 { _ = queue.add(request, weight: 1) }
        let group = queue.next() ?? []
        #expect(queue.refused(group) == nil)
        #expect(requests(queue.next()) == [1])
        queue.stored()
        #expect(requests(queue.next()) == [2])
        queue.stored()
        #expect(requests(queue.next()) == [3])
    }

    @Test func absenceOfTheDatabaseReleasesEverybody() {
        var queue = makeQueue(group: 4, waiting: 10)
        for request in 1...6 { _ = queue.add(request, weight: 1) }
        let group = queue.next() ?? []
        _ = queue.refused(group)
        let half = queue.next() ?? []
        #expect(queue.unavailable(half) == [1, 2, 3, 4, 5, 6])
        #expect(queue.isEmpty)
        #expect(queue.waitingWeight == 0)
    }
}
