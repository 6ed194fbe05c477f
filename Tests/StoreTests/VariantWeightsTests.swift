import Campaigns
import Experiments
import Postgres
import StoreSupport
import Testing

@testable import Store

/// The weights of variants are kept, because who got which variant follows from all of them.
@Suite struct VariantWeightsTests {
    private static func content(_ weights: [Int]) -> CampaignContent {
        var content = CampaignContent(
            name: "Test",
            variants: weights.indices.map {
                CampaignVariant(name: "V\($0)", body: .payload(#"{"aps":{"badge":\#($0)}}"#))
            })
        content.weights = weights
        return content
    }

    @Test func weightsBeforeTheFirstRunAreReplaced() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let made = try await fixture.campaigns.create(app: app, Self.content([500, 500]))
            #expect(made.content == Self.content([500, 500]))
            let changed = try await fixture.campaigns.update(
                made.id, app: app, version: 1, to: Self.content([400, 300, 300]))
            #expect(changed.weights == VariantWeights([400, 300, 300]))
            let ended = try await fixture.campaigns.update(
                made.id, app: app, version: 2, to: CampaignContent(name: "One", payload: "{}"))
            #expect(ended.weights == nil && !ended.content.isTest)
            let copy = try await fixture.campaigns.duplicate(made.id, app: app, name: "Copy")
            #expect(copy.content.variants == ended.content.variants)
        }
    }

    @Test func changesAfterARunAreAddedAndMoveFewPeople() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let made = try await fixture.campaigns.create(app: app, Self.content([500, 500]))
            try await fixture.pool.execute("UPDATE campaigns SET runs_started = 1")
            let changed = try await fixture.campaigns.update(
                made.id, app: app, version: 1, to: Self.content([400, 400, 200]))
            #expect(changed.weights?.history == [[500, 500], [400, 400, 200]])
            let before = try VariantMap(weights: [500, 500]).variants
            let after = try #require(changed.weights).map.variants
            #expect(zip(before, after).count { $0 != $1 } == 200)
            let same = try await fixture.campaigns.update(
                made.id, app: app, version: 2, to: Self.content([400, 400, 200]))
            #expect(same.weights == changed.weights)

            for refused in [Self.content([500, 500]), CampaignContent(name: "One", payload: "{}")] {
                await #expect(throws: Refusal.variantWasSent) {
                    try await fixture.campaigns.update(made.id, app: app, version: 3, to: refused)
                }
            }
            var version = 3
            for step in 0..<(VariantWeights.maximumCount - 2) {
                _ = try await fixture.campaigns.update(
                    made.id, app: app, version: version, to: Self.content([500 - step, 300 + step, 200]))
                version += 1
            }
            await #expect(throws: Refusal.tooManyWeightChanges(VariantWeights.maximumCount)) {
                try await fixture.campaigns.update(
                    made.id, app: app, version: version, to: Self.content([0, 0, 1_000]))
            }
        }
    }
}
