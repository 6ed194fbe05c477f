import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// Tells why a device got the push of a campaign or not.
struct WhyRoutes: RouteGroup {
    let devices: DeviceStore
    let addressed: AddressedDeviceStore
    let runs: RunStore
    let why: WhyStore
    let contents: SentContents

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/devices/{installation}/why", for: .permission(.devicesRead),
            query: ["campaign", "run"] + DeviceRoutes.addressParameters
        ) { [self] call in
            let device = try await call.device(in: devices)
            // The answer has the campaign's content and audience.
            try call.require(.campaignsRead)
            let run = try await run(call)
            let (facts, delivery) = try await why.facts(run: run.id, device: device, app: call.app)
            let payload = try await payload(of: run, device, delivery, call)
            return .json(
                Self.json(Why(facts), run, device, delivery?.json(call.installationNames), payload))
        }
    }

    /// The run of the request, or the last one of its campaign.
    private func run(_ call: AppCall) async throws -> RunRecord {
        let name = call.request.queryItems["campaign"]
        if let run = try call.request.run {
            let run = try await runs.find(run, app: call.app)
            guard name == nil || name == run.campaign.description else { throw Refusal.notFound(.run) }
            return run
        }
        guard let text = name else {
            throw APIError.campaignRequired
        }
        guard let campaign = Campaign.ID(text), let run = try await runs.newest(of: campaign, app: call.app) else {
            throw Refusal.notFound(.run)
        }
        return run
    }

    /// Only for pushes that were composed.
    private func payload(
        of run: RunRecord, _ device: DeviceRecord, _ delivery: DeviceDelivery?, _ call: AppCall
    ) async throws -> SentContents.Payload? {
        guard let delivery, [.accepted, .rejected, .unknown].contains(delivery.outcome) else { return nil }
        let found = try await addressed.devices([device.address.installation], app: call.app, kind: device.address.kind)
        guard var person = found.first(where: { $0.id == device.id })?.person else { return nil }
        person.locale = delivery.profile.locale ?? person.locale
        person.osVersion = delivery.profile.osVersion ?? person.osVersion
        person.appVersion = delivery.profile.appVersion ?? person.appVersion
        let due = Int(delivery.dueAt.secondsSince1970)
        let end = Int((delivery.endedAt ?? .now).secondsSince1970)
        return try await contents.payload(
            of: run.key, message: delivery.messageNumber, for: person, on: device.id,
            hasChanged: device.updatedAt > run.startedAt, in: due...max(due, end))
    }

    private static func json(
        _ why: Why, _ run: RunRecord, _ device: DeviceRecord, _ delivery: JSON?,
        _ payload: SentContents.Payload?
    ) -> JSON {
        [
            "verdict": .string(why.verdict.rawValue), "summary": .text(why.summary),
            "summary_localization": .localization(why.summary), "campaign_id": .id(run.campaign),
            "run_id": .id(run.id), "device_id": .id(device.id), "started_at": .time(run.startedAt),
            "steps": .array(
                why.steps.map { step in
                    [
                        "rule": .string(step.rule.rawValue), "result": .string(step.result.rawValue),
                        "text": .text(step.text), "text_localization": .localization(step.text),
                    ]
                }),
            "conditions": .array(
                why.conditions.map { condition in
                    [
                        "depth": .count(condition.depth), "text": .string(condition.text),
                        "is_met": .bool(condition.isMet),
                    ]
                }),
            "delivery": delivery ?? .null, "variant": .text(payload?.variant), "language": .text(payload?.language),
            "payload": payload?.json ?? .null, "is_payload_exact": .bool(payload?.isExact ?? false),
        ]
    }
}
