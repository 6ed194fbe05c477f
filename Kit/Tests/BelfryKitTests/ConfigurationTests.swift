import BelfryKit
import Foundation
import Testing

@Suite struct ConfigurationTests {
    @Test(arguments: ["", "no address", "http://push.example.com/v1/apps/1", "https://push.example.com"])
    func textThatIsNoAddressIsAMistakeAndNoCrash(_ text: String) {
        #expect(BelfryConfiguration(api: text, publishableKey: "bfp_x").mistake?.message.contains("address") == true)
    }

    @Test(arguments: ["HTTP://LOCALHOST:8080/v1/apps/1", " https://push.example.com/v1/apps/1\n"])
    func spaceAndCapitalLettersAreNoMistake(_ text: String) {
        #expect(BelfryConfiguration(api: text, publishableKey: "bfp_x").mistake == nil)
        #expect(BelfryConfiguration(api: text, publishableKey: "bfp_…").mistake?.code == "not-publishable")
    }

    @Test func addressCanBeAText() {
        let configuration = BelfryConfiguration(
            api: "https://push.example.com/v1/apps/1", publishableKey: "bfp_x", appGroup: "group.com.example.app")
        #expect(configuration.mistake == nil)
        // Those of the server count then.
        #expect(configuration.payloadKeys == nil)
        #expect(configuration.api.host == "push.example.com" && configuration.appGroup == "group.com.example.app")
    }
}
