import Campaigns
import Store
import Testing

@testable import Dispatcher

struct FlushMemoryTests {
    private static func flush(_ batch: Int64, _ sequence: Int32 = 1) -> ConfirmedFlush {
        ConfirmedFlush(app: App.ID(rawValue: 1), batch: Batch.ID(rawValue: batch), attempt: 1, sequence: sequence)
    }

    @Test func endedBatchIsForgottenWithTheNextConfirmedBeat() {
        let memory = FlushMemory()
        memory.confirmed(Self.flush(1), isHeld: false)
        let beat = memory.beginBeat()
        memory.confirmed(Self.flush(2), isHeld: false)
        memory.confirmedBeat(beat)
        #expect(memory.flushes == [Self.flush(2)])
    }

    @Test func nothingIsForgottenWithoutAConfirmation() {
        let memory = FlushMemory()
        memory.confirmed(Self.flush(1), isHeld: false)
        _ = memory.beginBeat()
        #expect(memory.flushes == [Self.flush(1)])
        memory.confirmedBeat(memory.beginBeat())
        #expect(memory.flushes.isEmpty)
    }

    @Test func lastFlushOfAHeldBatchIsKept() {
        let memory = FlushMemory()
        memory.confirmed(Self.flush(1, 1), isHeld: true)
        memory.confirmed(Self.flush(1, 2), isHeld: true)
        memory.confirmedBeat(memory.beginBeat())
        #expect(memory.flushes == [Self.flush(1, 2)])
        memory.ended(Batch.ID(rawValue: 1))
        #expect(memory.flushes == [Self.flush(1, 2)])
        memory.confirmedBeat(memory.beginBeat())
        #expect(memory.flushes.isEmpty)
    }

    @Test func anotherGenerationForgetsAll() {
        let memory = FlushMemory()
        memory.confirmed(Self.flush(1), isHeld: true)
        memory.forget()
        #expect(memory.flushes.isEmpty)
    }
}
