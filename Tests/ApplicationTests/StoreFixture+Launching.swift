import Application
import Store
import StoreSupport

extension StoreFixture {
    var contents: Contents {
        Contents(stores: stores, media: MediaAddresses(media: stores.media, publicURL: ""))
    }
    var starter: CampaignStarter { CampaignStarter(stores: stores, contents: contents) }
    var trigger: CampaignTrigger { CampaignTrigger(stores: stores, contents: contents) }
}
