import Testing

@testable import Campaigns

struct LedgerTests {
    private var full: Ledger {
        var ledger = Ledger()
        for (number, kind) in OutcomeKind.allCases.enumerated() { ledger[kind] = 1 << number }
        ledger.resent = 3
        return ledger
    }

    @Test func everyKindHasItsOwnIndex() {
        #expect(Set(OutcomeKind.allCases.map(\.index)) == Set(0..<OutcomeKind.allCases.count))
        for (number, kind) in OutcomeKind.allCases.enumerated() { #expect(full[kind] == 1 << number) }
    }

    @Test func deferredRecipientsAreTargetedOnce() {
        #expect(full.targeted == full.counts.reduce(0, +) - full[.deferred])
        #expect(
            full.targeted
                == full[.accepted] + full[.rejected] + full[.suppressed] + full[.expired] + full[.cancelled]
                + full[.unknown] + full[.pending])
        #expect(Ledger().targeted == 0)
    }

    @Test func sumIsKindByKind() {
        let sum = full + full
        for kind in OutcomeKind.allCases { #expect(sum[kind] == 2 * full[kind]) }
        #expect(sum.resent == 6 && sum.targeted == 2 * full.targeted)
        #expect(full + Ledger() == full)
    }

    @Test func ledgerIsFinalWhenNobodyIsPending() {
        var ledger = full
        #expect(!ledger.isFinal)
        ledger[.pending] = 0
        #expect(ledger.isFinal)
    }

    @Test func outcomeByteKeepsCodeAndBitApart() {
        for code in 0..<UInt8(OutcomeCode.limit) {
            for isResent in [false, true] {
                let byte = OutcomeByte(code: code, isResent: isResent)
                #expect(byte.code == code && byte.isResent == isResent)
                #expect(OutcomeByte(rawValue: byte.rawValue) == byte)
            }
        }
        #expect(OutcomeByte(code: 0xff, isResent: false).rawValue == 0x7f)
        #expect(OutcomeByte(code: OutcomeCode.accepted, isResent: true).rawValue == 0x81)
    }

    @Test func identifierIsPlainDecimalText() {
        for value in [1, 42, Int64.max] {
            let id = Run.ID(rawValue: value)
            #expect(Run.ID(id.description) == id && id.description == String(value))
        }
        let bad = ["", "0", "-1", "+1", "01", " 1", "1 ", "1.0", "1e3", "0x1", "١", "9223372036854775808", "abc"]
        for text in bad { #expect(Run.ID(text) == nil, "\(text)") }
        #expect(Run.ID(rawValue: 2) < Run.ID(rawValue: 10))
    }

    @Test func environmentsAreNamed() {
        for environment in PushEnvironment.allCases {
            #expect(PushEnvironment(name: environment.name) == environment)
        }
        #expect(PushEnvironment(name: "Production") == nil)
    }
}
