import Glibc
import Testing

@testable import EventLoop

struct DescriptorLimitTests {
    @Test(
        arguments: [
            (1_024, 4_096, 4_096), (1_024, 1_024, 1_024), (1_024, 1_000_000_000, 65_536), (100_000, 200_000, 100_000),
        ])
    func theSoftLimitIsRaisedToTheHardOneUpToAMaximum(soft: UInt, hard: UInt, expected: UInt) {
        #expect(DescriptorLimit.wanted(soft: soft, hard: hard) == expected)
    }

    @Test func raisingTwiceGivesTheSameLimit() throws {
        let limit = try DescriptorLimit.raise()
        #expect(try limit >= 64 && DescriptorLimit.raise() == limit)
    }

    @Test func aReleasedSpareDescriptorCanBeReservedAgain() {
        var spare = SpareDescriptor()
        #expect(spare.isReserved)
        spare.release()
        #expect(!spare.isReserved)
        spare.reserve()
        #expect(spare.isReserved)
        spare.release()
    }

    @Test func onlyMissingDescriptorsAreOutOfDescriptors() {
        #expect(SystemError(operation: "open", code: EMFILE).isOutOfDescriptors)
        #expect(SystemError(operation: "open", code: ENFILE).isOutOfDescriptors)
        #expect(!SystemError(operation: "open", code: ENOENT).isOutOfDescriptors)
    }
}
