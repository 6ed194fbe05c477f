import BelfryCore
import Foundation
import Testing

struct DeviceTokenTests {
    @Test func everyByteHasTwoDigits() {
        #expect(DeviceToken(Data([0, 1, 0x8F, 0xFF]))?.hexadecimal == "00018fff")
    }

    @Test(arguments: [(0, false), (1, true), (32, true), (200, true), (201, false)])
    func tokenHasOneToTwoHundredBytes(count: Int, isToken: Bool) {
        #expect((DeviceToken(Data(repeating: 7, count: count)) != nil) == isToken)
    }

    @Test(arguments: [("development", DeviceState.Environment.development), ("production", .production)])
    func profileDecidesTheEnvironment(entitlement: String, environment: DeviceState.Environment) {
        #expect(DeviceState.Environment(provisioningProfile: profile(entitlement)) == environment)
    }

    @Test func missingOrBrokenProfileIsProduction() {
        #expect(DeviceState.Environment(provisioningProfile: nil) == .production)
        #expect(DeviceState.Environment(provisioningProfile: Data([0x30, 0x82, 0xFF])) == .production)
        #expect(DeviceState.Environment(provisioningProfile: profile("development").prefix(120)) == .production)
        #expect(DeviceState.Environment(provisioningProfile: Data("</plist><?xml".utf8)) == .production)
    }

    private func profile(_ entitlement: String) -> Data {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>Name</key><string>development</string><key>Entitlements</key>
            <dict><key>aps-environment</key><string>\(entitlement)</string></dict></dict></plist>
            """
        return Data([0x30, 0x82, 0x00, 0xFF, 0x06]) + Data(list.utf8) + Data([0xA0, 0x82, 0x00])
    }
}
