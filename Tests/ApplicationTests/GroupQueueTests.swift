import EventLoop
import Testing

@testable import Application

struct GroupQueueTests {
    private func makeQueue(group: Int = 3, waiting: Int = 5, inFlight: Int = 1) -> GroupQueue<Int> {
        GroupQueue(
            limits: GroupLimits(groupWeight: group, maximumQueuedWeight: waiting, maximumConcurrentGroups: inFlight))
    }

    @Test func firstRequestGoesImmediatelyAndTheNextOnesFormAGroup() {
        var queue = makeQueue()
        queue.take(1, weight: 1)
        queue.begin([1])
        queue.take(2, weight: 1)
        queue.take(3, weight: 1)
        queue.begin(nil)
        queue.stored()
        queue.begin([2, 3])
        queue.stored()
        queue.begin(nil)
        #expect(queue.isEmpty)
    }

    @Test func groupContainsItsWeightAndNotOneMore() {
        var queue = makeQueue(group: 3, waiting: 5)
        for request in 1...4 { queue.take(request, weight: 1) }
        queue.begin([1, 2, 3])
        queue.stored()
        queue.begin([4])
    }

    @Test func requestHeavierThanAGroupGoesAlone() {
        var queue = makeQueue(group: 3, waiting: 20)
        queue.take(1, weight: 10)
        queue.take(2, weight: 1)
        queue.begin([1])
    }

    @Test func requestsAreAcceptedUpToTheLimit() {
        var queue = makeQueue(group: 3, waiting: 5)
        for request in 1...5 { queue.take(request, weight: 1) }
        queue.refuse(6, weight: 1)
        queue.begin([1, 2, 3])
        #expect(queue.queuedWeight == 2)
        queue.take(6, weight: 3)
        queue.refuse(7, weight: 1)
    }

    @Test func heavyRequestIsAcceptedByAnEmptyQueue() {
        var queue = makeQueue(group: 3, waiting: 5)
        queue.take(1, weight: 100)
        queue.refuse(2, weight: 1)
    }

    @Test func concurrentGroupsAreLimited() {
        var queue = makeQueue(group: 1, waiting: 5, inFlight: 2)
        for request in 1...3 { _ = queue.add(request, weight: 1, at: .now()) }
        queue.begin([1])
        queue.begin([2])
        queue.begin(nil)
        queue.stored()
        queue.begin([3])
    }

    @Test(arguments: 1...9, 1...9)
    func halvingFindsTheFailingRequestAndStoresTheOthers(size: Int, failing: Int) {
        guard failing <= size else { return }
        var queue = makeQueue(group: size, waiting: size)
        for request in 1...size { _ = queue.add(request, weight: 1, at: .now()) }
        var stored: [Int] = []
        var found: [Int] = []
        while let group = queue.next() {
            guard group.contains(where: { $0.request == failing }) else {
                stored += group.map(\.request)
                queue.stored()
                continue
            }
            if let one = queue.refused(group) { found.append(one) }
        }
        #expect(found == [failing])
        #expect(stored == (1...size).filter { $0 != failing })
        #expect(queue.isEmpty)
    }

    @Test func halvesGoBeforeLaterRequests() {
        var queue = makeQueue(group: 2, waiting: 5)
        for request in 1...3 { _ = queue.add(request, weight: 1, at: .now()) }
        let group = queue.next() ?? []
        let failing = queue.refused(group)
        #expect(failing == nil)
        queue.begin([1])
        queue.stored()
        queue.begin([2])
        queue.stored()
        queue.begin([3])
    }

    /// A list is one request until it is alone in its group.
    @Test(arguments: 0..<5)
    func listIsHalvedUntilTheFailingPartIsAlone(failing: Int) {
        var queue = GroupQueue<ArraySlice<Int>>(
            limits: GroupLimits(groupWeight: 10, maximumQueuedWeight: 20, maximumConcurrentGroups: 1))
        for list in [[0, 1, 2, 3, 4][...], [5][...]] { _ = queue.add(list, weight: list.count, at: .now()) }
        var stored: [Int] = []
        var found: [ArraySlice<Int>] = []
        while let group = queue.next() {
            guard group.contains(where: { $0.request.contains(failing) }) else {
                stored += group.flatMap(\.request)
                queue.stored()
                continue
            }
            let alone = queue.refused(group) { list in
                let middle = list.startIndex + list.count / 2
                return list.count > 1 ? (list[..<middle], list[middle...]) : nil
            }
            if let alone { found.append(alone) }
        }
        #expect(found == [[failing]])
        #expect(stored == (0...5).filter { $0 != failing })
        #expect(queue.isEmpty)
    }

    @Test func unavailableDatabaseReleasesAllRequests() {
        var queue = makeQueue(group: 4, waiting: 10)
        for request in 1...6 { _ = queue.add(request, weight: 1, at: .now()) }
        let group = queue.next() ?? []
        _ = queue.refused(group)
        let half = queue.next() ?? []
        let released = queue.unavailable(half)
        #expect(released == [1, 2, 3, 4, 5, 6])
        #expect(queue.isEmpty)
        #expect(queue.queuedWeight == 0)
    }
}

extension GroupQueue<Int> {
    fileprivate mutating func take(_ request: Int, weight: Int, at place: SourceLocation = #_sourceLocation) {
        let isTaken = add(request, weight: weight, at: .now())
        #expect(isTaken, sourceLocation: place)
    }

    fileprivate mutating func refuse(_ request: Int, weight: Int, at place: SourceLocation = #_sourceLocation) {
        let isTaken = add(request, weight: weight, at: .now())
        #expect(!isTaken, sourceLocation: place)
    }

    fileprivate mutating func begin(_ expected: [Int]?, at place: SourceLocation = #_sourceLocation) {
        let group = next()?.map(\.request)
        #expect(group == expected, sourceLocation: place)
    }
}
