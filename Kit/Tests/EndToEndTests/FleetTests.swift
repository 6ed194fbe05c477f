import Foundation
import Testing

@testable import BelfryCore

/// BelfryCore as the phones of an app, against the real server and a simulated Apple.
@Suite(
    .serialized,
    .enabled(
        if: BelfryServer.executable != nil,
        "BELFRY_EXECUTABLE is not set: `make test` sets it to the built server."))
struct FleetTests {
    static let phoneCount = 2_000

    @Test func ledgerAndStatisticsEqualWhatThePhonesSaw() async throws {
        try await BelfryServer.with { server, folder in
            let fleet = try await Fleet(server, in: folder, count: Self.phoneCount)
            try await fleet.register()
            try await fleet.optOut()

            let offers = try await fleet.send(
                .of(#"{"name": "Offers", "topic": "offers", "payload": {"aps": {"alert": "At eight."}}}"#),
                to: fleet.phones.filter { !$0.isDenied && !$0.isAgainstOffers && !$0.isAgainstAll },
                after: 0, considering: fleet.phones.count)
            try await fleet.react(to: offers.pushes)
            try await fleet.compare(offers)

            try await fleet.changeEverything()
            try await fleet.compareDevices()

            let gone = fleet.phones.filter(\.isGone)
            try await server.unregister(gone)
            let all = try await fleet.send(
                .of(#"{"name": "All", "payload": {"aps": {"alert": "For everybody."}}}"#),
                to: fleet.phones.filter { !$0.isDenied && !$0.isAgainstAll && !$0.isGone },
                after: offers.pushes.count, considering: fleet.phones.count, unregistered: gone.count)
            try await fleet.tap(all.pushes)
            try await fleet.compare(all)

            // The persons who have logged out get nothing, and those who came after them do.
            let moved = fleet.phones.filter { $0.isLoggingOut || $0.isChangingPlaces }
            let persons = moved.flatMap { ["person-\($0.number)", "next-\($0.number)"] }
            let users = JSONValue.object(["user_ids": .array(persons.map(JSONValue.string))])
            let next = moved.filter(\.isChangingPlaces)
            let personal = try await fleet.send(
                .object([
                    "name": .string("Next"), "audience": .object(["include": users]),
                    "payload": .of(#"{"aps": {"alert": "For whoever came next."}}"#),
                ]),
                to: next.filter { !$0.isDenied && !$0.isAgainstAll && !$0.isGone },
                after: offers.pushes.count + all.pushes.count, considering: next.filter { !$0.isGone }.count)
            try await fleet.tap(personal.pushes)
            try await fleet.compare(personal)

            // Apple has no more to say against the tokens, so the devices that came back get their push.
            try await server.unregister([])
            try await fleet.comeBack()
            try await fleet.compareDevices()
            let again = try await fleet.send(
                .of(
                    #"{"name": "Again", "audience": {"include": {"tag": "back"}}, "#
                        + #""payload": {"aps": {"alert": "Welcome back."}}}"#),
                to: gone, after: offers.pushes.count + all.pushes.count + personal.pushes.count,
                considering: gone.count)
            try await fleet.tap(again.pushes)
            try await fleet.compare(again)

            try await fleet.compareTotals([offers, all, personal, again])
            // Phones without a network say so, and nothing else is wrong.
            #expect(Set(await fleet.diagnostics().map(\.code)) == ["unreachable"])
        }
    }

    /// The second request of each is answered with 304, also after a launch, and offline the copies stay.
    @Test func categoriesAndPlansAreFetchedOnceAndKept() async throws {
        try await BelfryServer.with { server, folder in
            try await server.send(
                "POST", "categories",
                body: .of(
                    #"{"identifier": "ORDER", "actions": [{"identifier": "buy", "title": {"default": "Buy", "#
                        + #""de": "Kaufen"}, "options": ["foreground"]}, {"identifier": "answer", "#
                        + #""title": "Answer", "text_input": {"button_title": "Send", "placeholder": "Text"}}], "#
                        + #""options": ["custom_dismiss_action"]}"#))
            let plan = try await server.send(
                "POST", "local-plans",
                body: .of(
                    #"{"name": "Morning", "notifications": [{"identifier": "morning", "trigger": {"#
                        + #""type": "calendar", "components": {"hour": 8}, "repeats": true}, "#
                        + #""content": {"aps": {"alert": "Good morning"}}}]}"#))
            let phone = Phone(0, in: folder, server.configuration, URLSessionTransport())

            for _ in 0..<2 {
                let categories = try #require(await phone.client.categories(locale: "de-AT"))
                #expect(categories.first?.actions.map(\.title) == ["Kaufen", "Answer"])
                #expect(categories.first?.actions.last?.textInput?.buttonTitle == "Send")
                #expect(await phone.client.fetchPlans(locale: "de-AT", timeZone: "Europe/Vienna"))
                await phone.restart()
            }
            #expect(phone.network.statuses == [200, 200, 304, 304])

            phone.network.become(.offline)
            #expect(await phone.client.categories(locale: "de-AT")?.count == 1)
            let device = PlanSchedule.Device(pending: ["own"], timeZone: "Europe/Vienna", appVersion: "1")
            let changes = try #require(await phone.client.planChanges(on: device))
            #expect(changes.added.map(\.notification.identifier).first?.hasSuffix("morning") == true)
            #expect(changes.removed.isEmpty && changes.pending == 1)
            #expect(await phone.client.categoryAction(present: []) != .none)
            #expect(await phone.client.categoryAction(present: ["ORDER"]) == .none)

            // Its events are sent once the device is registered, and lead back to the plan.
            let scheduled = try #require(changes.added.first?.notification)
            let shown = LocalNotificationID(identifier: scheduled.identifier, version: scheduled.version)
            for kind in [Event.Kind.presented, .opened, .opened] { try await phone.client.record(shown, kind) }
            await phone.client.flush()
            phone.network.become(.online)
            try await phone.launch()
            await phone.client.flush()
            let id = try #require(plan["id"]?.string)
            let counts = try await server.send("GET", "local-plans", id, "statistics")["notifications"]
            #expect(
                try counts
                    == .of(
                        #"[{"identifier": "morning", "presented": 1, "opened": 2, "actions": 0, "dismissed": 0}]"#))
        }
    }
}
