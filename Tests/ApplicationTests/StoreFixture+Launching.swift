import Application
import Store
import StoreSupport

extension StoreFixture {
    var contents: ContentLoader {
        ContentLoader(stores: stores, media: MediaURLResolver(media: stores.media, publicURL: ""))
    }
    var starter: CampaignStarter { CampaignStarter(stores: stores, contents: contents) }
    var trigger: CampaignTrigger { CampaignTrigger(stores: stores, contents: contents) }
}
