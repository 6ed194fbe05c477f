import EventLoop
import Testing

@testable import Dispatcher

@Suite struct DrawnNumbersTests {
    @Test func numbersAreUsedOnceAndInOrder() {
        var numbers = DrawnNumbers()
        let now = MonotonicTime.now()
        #expect(numbers.take(1, at: now) == nil)
        numbers.add([1, 2, 3], drawnAt: now)
        #expect(numbers.take(2, at: now) == [1, 2])
        #expect(numbers.take(2, at: now) == nil)
        numbers.add([7, 8], drawnAt: now)
        #expect(numbers.take(3, at: now) == [3, 7, 8])
    }

    @Test func oldNumbersAreNotUsed() {
        var numbers = DrawnNumbers()
        let first = MonotonicTime.now()
        numbers.add([1, 2, 3], drawnAt: first)
        numbers.add([4, 5], drawnAt: first + .seconds(50))
        #expect(numbers.take(1, at: first + .seconds(59)) == [1])
        // The oldest of them decides about all.
        #expect(numbers.take(1, at: first + DrawnNumbers.lifetime) == nil)
        numbers.add([9], drawnAt: first + .seconds(61))
        #expect(numbers.take(1, at: first + .seconds(120)) == [9])
    }
}
