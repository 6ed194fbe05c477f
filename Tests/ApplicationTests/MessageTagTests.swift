import Application
import Campaigns
import Crypto
import Store
import Testing

@Suite struct MessageTagTests {
    private let key = HMACKey([UInt8](repeating: 7, count: 32))

    @Test(arguments: [(1, 1), (0x01_0203_0405, 0x0a_0b0c), (1 << 40 - 1, 1 << 44 - 1)] as [(Int64, Int64)])
    func tagIsTheBeginningOfTheHMACOverNumberAndDevice(number: Int64, device: Int64) {
        let message = [number, device].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        let expected = key.tag(of: message).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }

        let id = MessageID(messageNumber: number, device: device, key: key)

        #expect(id == MessageID(messageNumber: number, device: device, tag: expected))
        #expect([key].verify(id))
    }

    @Test func idOfAnotherKeyDeviceOrMessageIsNotGenuine() {
        let id = MessageID(messageNumber: 5, device: 6, key: key)
        let other = HMACKey([UInt8](repeating: 8, count: 32))

        #expect([other, key].verify(id))
        #expect(![other].verify(id))
        #expect(![HMACKey]().verify(id))
        #expect(![key].verify(MessageID(messageNumber: 5, device: 7, tag: id.low << 26)))
        #expect(![key].verify(MessageID(messageNumber: 6, device: 6, tag: id.low << 26)))
    }
}
