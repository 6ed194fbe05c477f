import EventLoop
import TestSupport
import Testing

@Suite struct WaitingTasksTests {
    private actor Gate {
        var waiting = WaitingTasks()
        var passed: [Int] = []

        func wait(_ number: Int) async {
            await withUnsafeContinuation { waiting.add($0) }
            passed.append(number)
        }

        func count() -> Int { passed.count }
        func openForLast() { waiting.resumeLast() }
        func open() { waiting.resumeAll() }
        func hasWaiting() -> Bool { !waiting.isEmpty }
    }

    @Test func oneOrAllAreResumed() async {
        let gate = Gate()
        await gate.open()
        await gate.openForLast()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask { await gate.wait(number) }
            }
            // They wait one after another: three resumptions of the last let all three pass.
            for count in 1...3 {
                while await !gate.hasWaiting() { await Task.yield() }
                await gate.openForLast()
                while await gate.count() < count { await Task.yield() }
            }
        }
        #expect(await gate.passed.sorted() == [1, 2, 3])
        await withTaskGroup(of: Void.self) { group in
            for number in 4...6 {
                group.addTask { await gate.wait(number) }
            }
            while await gate.count() < 6 {
                await gate.open()
                await Task.yield()
            }
        }
        #expect(await gate.passed.sorted() == [1, 2, 3, 4, 5, 6])
        #expect(await !gate.hasWaiting())
    }
}
