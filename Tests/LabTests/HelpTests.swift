import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HelpTests {
    @Test(arguments: [[], ["bench"], ["chaos"]])
    func helpIsPrinted(_ command: [String]) async throws {
        try await ScratchFolder.with { folder in
            let ending = try await BelfryProcess(
                command + ["--help"], program: [BelfryProcess.laboratory.path], in: folder
            ).ending()
            #expect(ending.status == 0)
            #expect(ending.output.contains((["USAGE: belfry-lab"] + command).joined(separator: " ")))
        }
    }
}
