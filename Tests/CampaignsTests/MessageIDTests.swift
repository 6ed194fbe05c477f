import Foundation
import Testing

@testable import Campaigns

struct MessageIDTests {
    private static let numbers: [Int64] = [0, 1, 0xff, 0x12_3456_789a, MessageID.maximumMessageNumber]
    private static let devices: [Int64] = [
        0, 1, 0xff_ffff, 1 << 24, 1 << 35, 1 << 36, 0xabc_def0_1234, MessageID.maximumDevice,
    ]
    private static let tags: [UInt64] = [0, 1 << 26, 1 << 63, 0x0123_4567_89ab_cdef, .max]

    @Test(arguments: numbers, devices)
    func partsComeBackFromTheText(number: Int64, device: Int64) throws {
        for tag in Self.tags {
            let id = MessageID(messageNumber: number, device: device, tag: tag)
            let read = try #require(MessageID(text: Array(id.text.utf8)))
            #expect(read == id)
            #expect(read.messageNumber == number && read.device == device)
            #expect(read.hasTag(tag))
            // The last of the 38 bits counts, and the first that is not used does not.
            #expect(!read.hasTag(tag ^ 1 << 26) && !read.hasTag(tag ^ 1 << 63))
            #expect(read.hasTag(tag ^ 1 << 25))
        }
    }

    @Test(arguments: numbers, devices)
    func textIsAVersion8UUIDForFoundationToo(number: Int64, device: Int64) throws {
        let id = MessageID(messageNumber: number, device: device, tag: .max)
        let uuid = try #require(UUID(uuidString: id.text))
        #expect(uuid.uuid.6 >> 4 == 8)
        #expect(uuid.uuid.8 >> 6 == 0b10)
        #expect(id.text == uuid.uuidString.lowercased() && id.text.utf8.count == MessageID.textLength)
    }

    @Test func limitsAreThoseOfTheLayout() {
        #expect(MessageID.maximumMessageNumber == 1_099_511_627_775)
        #expect(MessageID.maximumDevice == 17_592_186_044_415)
        // Number, eight bits of device, version and twelve bits, variant and twenty-four, tag.
        let id = MessageID(messageNumber: 0x01_0203_0405, device: 0xabc_def1_2345, tag: 0x3f_ffff_fffa << 26)
        #expect(id.text == "01020304-05ab-8cde-bc48-d17ffffffffa")
    }

    @Test func upperCaseIsTheSameID() throws {
        let id = MessageID(messageNumber: 0xab_cdef_abcd, device: 0xabc_defa_bcde, tag: 0xfedc_ba98_7654_3210)
        #expect(MessageID(text: Array(id.text.uppercased().utf8)) == id)
    }

    @Test func everythingElseIsRefused() {
        let good = Array(MessageID(messageNumber: 7, device: 9, tag: 1 << 40).text.utf8)
        #expect(MessageID(text: good) != nil)
        #expect(MessageID(text: good.dropLast()) == nil)
        #expect(MessageID(text: good + [UInt8(ascii: "0")]) == nil)
        #expect(MessageID(text: []) == nil)
        let isDash = { (place: Int) in [8, 13, 18, 23].contains(place) }
        for place in good.indices {
            for byte in [UInt8(ascii: "g"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), 0, 0xff] {
                var bad = good
                bad[place] = byte
                #expect(MessageID(text: bad) == nil)
            }
            var swapped = good
            swapped[place] = isDash(place) ? UInt8(ascii: "0") : UInt8(ascii: "-")
            #expect(MessageID(text: swapped) == nil)
        }
        for version in "0123456789abcdef" where version != "8" {
            var bad = good
            bad[14] = version.asciiValue ?? 0
            #expect(MessageID(text: bad) == nil)
        }
        for variant in "01234567cdef" {
            var bad = good
            bad[19] = variant.asciiValue ?? 0
            #expect(MessageID(text: bad) == nil)
        }
    }

    @Test func authenticatedBytesAreBothNumbersBigEndian() {
        var bytes = [UInt8](repeating: 0xee, count: MessageID.authenticatedLength)
        bytes.withUnsafeMutableBytes {
            MessageID.writeAuthenticatedBytes(messageNumber: 0x01_0203_0405, device: 0x0a_0b0c, into: $0)
        }
        #expect(bytes == [0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0x0a, 0x0b, 0x0c])
    }
}
