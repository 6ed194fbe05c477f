import Foundation
import JSON
import TestSupport
import Testing

/// A short run of `belfry-lab chaos`, as in `make chaos`.
@Suite(.timeLimit(.minutes(10))) struct ChaosCommandTests {
    @Test(arguments: [("resend", 7, []), ("leave", 8, []), ("leave", 9, ["--failover"])])
    func noRecipientIsSkippedOrReachedTwiceWithoutAMark(
        _ policy: String, _ seed: Int, _ more: [String]
    ) async throws {
        try await ScratchFolder.with { folder in
            let chaos = try await BelfryProcess(
                ["chaos", "--quick", "--devices", "12000", "--seed", "\(seed)", "--policy", policy] + more,
                program: [BelfryProcess.laboratory.path], in: folder,
                environment: ["TMPDIR": folder.path])
            let ending = try await chaos.ending()

            #expect(ending.status == 0, "\(ending.output)")
            let verdict = ending.output.split(separator: "\n").last ?? ""
            #expect(verdict.hasPrefix("Chaos \(seed), \(policy): nobody skipped, nobody twice"))
            #expect(verdict.hasSuffix("All totals equal."))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
                    !$0.hasPrefix("belfry-")
                })
        }
    }
}
