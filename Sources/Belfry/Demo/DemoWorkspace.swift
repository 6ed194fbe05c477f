import APNSSimulator
import Campaigns
import EventLoop
import Foundation
import HTTPTypes
import JSON
import Store

/// Fills the demo's app with what a team has after some weeks, through the API: topics, categories, segments, templates
/// in three languages, a week of campaigns that were really sent (three of them A/B tests), one that is scheduled, a draft,
/// and test devices.
struct DemoWorkspace {
    let api: APIClient
    let fleet: Fleet
    let history: RunHistoryStore
    let app: String
    let loop: EventLoop

    private var path: String { "/v1/apps/\(app)" }

    /// Does nothing when there are templates already: they are of an earlier run.
    func fill() async throws {
        let known = try await api.send(.get, "\(path)/templates?limit=1")
        guard known["data"]?.elements.isEmpty ?? true else { return }
        for body in DemoContent.topics { try await add("topics", body) }
        for body in DemoContent.categories { try await add("categories", body) }
        for body in DemoContent.segments { try await add("segments", body) }
        for (name, content) in DemoContent.templates {
            try await add("templates", #"{"name":"\#(name)","content":\#(content)}"#)
        }
        try await sendWeek()
        try await schedule()
        try await add("campaigns", campaign("Evening bells", like: "Evening bells"))
        try await markTestDevices()
    }

    /// Phones for test pushes, which nobody else gets. The week has shown which ones still have the app.
    private func markTestDevices() async throws {
        let devices = try await api.send(.get, "\(path)/devices?registered=true&limit=200")["data"]?.elements ?? []
        for (language, nickname) in DemoContent.testDevices {
            let device = devices.first {
                $0["locale"]?.text?.hasPrefix(language) == true && $0["authorization_status"]?.text == "authorized"
            }
            guard let installation = device?["installation"]?.text else { continue }
            let body = #"{"is_test":true,"nickname":"\#(nickname)"}"#
            try await api.send(.patch, "\(path)/devices/\(installation)", try JSON(parsing: body))
        }
    }

    @discardableResult
    private func add(_ collection: String, _ body: String) async throws -> String {
        let made = try await api.send(.post, "\(path)/\(collection)", try JSON(parsing: body))
        return made["id"]?.text ?? ""
    }

    /// Sends the campaigns of the week now, lets the phones respond, and moves each a day further into the past.
    private func sendWeek() async throws {
        var sent: [String] = []
        for body in [DemoContent.measured] + DemoContent.tests {
            let campaign = try await add("campaigns", body)
            try await send(campaign)
            sent.append(campaign)
        }
        for entry in DemoContent.sent {
            let audience = #","audience":{"include":\#(entry.audience)}"#
            let campaign = try await add("campaigns", self.campaign(entry.name, like: entry.template, audience))
            try await send(campaign)
            sent.append(campaign)
        }
        await fleet.acknowledgeAll()
        for (index, campaign) in sent.enumerated() {
            guard let app = App.ID(app), let id = Campaign.ID(campaign) else { continue }
            try await history.move(id, app: app, back: .seconds((sent.count - index) * 86_400))
        }
        if let app = App.ID(app) { try await history.recount(app) }
        try await DemoPurchases(api: api, path: path).make(after: sent[0])
        try await send(add("campaigns", DemoContent.openTest))
        await fleet.acknowledgeAll()
    }

    /// A campaign whose text began with a template.
    private func campaign(_ name: String, like template: String, _ more: String = "") -> String {
        let content = DemoContent.templates.first { $0.name == template }?.content ?? #"{"payload":{}}"#
        return #"{"name":"\#(name)","content":\#(content)\#(more)}"#
    }

    private func send(_ campaign: String) async throws {
        try await api.send(.post, "\(path)/campaigns/\(campaign)/start")
        // The rest of a test waits, and everything else is sent.
        let ends: Set<String?> = ["finished", "waiting"]
        var state: String?
        repeat {
            try await loop.sleep(for: .milliseconds(30))
            state = try await api.send(.get, "\(path)/campaigns/\(campaign)/runs")["data"]?.elements.first?["state"]?
                .text
        } while !ends.contains(state)
    }

    /// The day after tomorrow at nine in each phone's zone.
    private func schedule() async throws {
        let day = Date(timeIntervalSinceNow: 2 * 86_400).formatted(.iso8601.year().month().day())
        let schedule = #","schedule":{"kind":"local","at":"\#(day)T09:00:00","if_past":"next_day"}"#
        let id = try await add("campaigns", campaign("Lucky Draw", like: "Lucky Draw", schedule))
        try await api.send(.post, "\(path)/campaigns/\(id)/schedule")
    }
}
