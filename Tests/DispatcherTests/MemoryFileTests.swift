import Foundation
import Postgres
import Store
import TestSupport
import Testing

@testable import Dispatcher

struct MemoryFileTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let path = "\(ScratchSpace.path)/belfry-memory-\(UUID().uuidString)/processes"
        defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
        try body(path)
    }

    private static func memory(_ beat: Int64, hasEnded: Bool = false) -> ProcessMemory {
        ProcessMemory(
            process: ProcessID(), beat: beat, beatenAt: Timestamp(microseconds: 1_234_567_890), origin: .min,
            generation: .max,
            hasEnded: hasEnded)
    }

    @Test func memoryOfAnEndedProcessIsReadAndThatOfALivingOneIsNot() throws {
        try withDirectory { directory in
            let (dead, alive) = (Self.memory(3), Self.memory(4))
            do {
                let file = try MemoryFile(directory: directory, process: dead.process)
                try file.write(Self.memory(2), isSynced: false)
                try file.write(dead, isSynced: true)
            }
            let file = try MemoryFile(directory: directory, process: alive.process)
            try file.write(alive, isSynced: false)
            let found = try MemoryFile.leftBehind(in: directory)
            #expect(found.memories == [dead])
            #expect(found.areRecent)
            for path in found.paths { try MemoryFile.remove(path) }
            #expect(try MemoryFile.leftBehind(in: directory).paths.isEmpty)
            // Another process may have been faster.
            for path in found.paths { try MemoryFile.remove(path) }
            withExtendedLifetime(file) {}
        }
    }

    @Test(arguments: [
        (hasEnded: false, age: Duration.seconds(599), isRead: true, isRecent: true),
        (hasEnded: false, age: .seconds(601), isRead: true, isRecent: false),
        (hasEnded: true, age: .seconds(13 * 86_400), isRead: true, isRecent: true),
        (hasEnded: true, age: .seconds(15 * 86_400), isRead: false, isRecent: true),
    ])
    func ageDecidesWhatAMemoryIsGoodFor(hasEnded: Bool, age: Duration, isRead: Bool, isRecent: Bool) throws {
        try withDirectory { directory in
            let memory = Self.memory(5, hasEnded: hasEnded)
            do {
                try MemoryFile(directory: directory, process: memory.process)
                    .write(memory, isSynced: false, now: .now - age)
            }
            let found = try MemoryFile.leftBehind(in: directory)
            #expect(found.memories == (isRead ? [memory] : []))
            #expect(found.areRecent == isRecent)
            #expect(found.paths.count == 1)
        }
    }

    @Test func emptyDamagedAndForeignFilesAreNoMemory() throws {
        try withDirectory { directory in
            #expect(try MemoryFile.leftBehind(in: directory).paths.isEmpty)
            do { _ = try MemoryFile(directory: directory, process: ProcessID()) }
            try Data("{".utf8).write(to: URL(filePath: "\(directory)/a.process"))
            try Data("{".utf8).write(to: URL(filePath: "\(directory)/notes.txt"))
            let found = try MemoryFile.leftBehind(in: directory)
            #expect(found.memories.isEmpty && found.paths.count == 2)
        }
    }
}
