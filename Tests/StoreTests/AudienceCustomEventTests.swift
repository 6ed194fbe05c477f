import Campaigns
import Foundation
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// Conditions about custom events, compared with a count in Swift.
struct AudienceCustomEventTests {
    /// A person of the test, with their devices and events: name, days ago, and a property.
    private struct Person {
        let user: String?
        let devices: [Int64]
        let events: [(name: String, days: Int, plan: String?)]

        func count(_ event: AudienceCustomEvent, _ passes: (String?) -> Bool) -> Int {
            events.count { $0.name == event.name && $0.days < event.withinDays && passes($0.plan) }
        }
    }

    private static let people = [
        Person(user: "ada", devices: [1, 2], events: [("buy", 1, "pro"), ("buy", 8, "pro"), ("visit", 0, nil)]),
        Person(user: "ben", devices: [3], events: [("buy", 1, "free"), ("buy", 20, "pro"), ("buy", 25, nil)]),
        Person(user: nil, devices: [4], events: [("buy", 2, nil), ("visit", 3, "pro"), ("visit", 4, "pro")]),
        Person(user: nil, devices: [5], events: []), Person(user: "cid", devices: [6], events: []),
    ]

    private static func fill(_ fixture: DeviceFixture) async throws {
        var events: [CustomEvent] = []
        for person in people {
            for device in person.devices {
                try await fixture.pool.insertDevice(
                    "phone-\(device)", of: "\(fixture.app)",
                    ["id": "\(device)", "user_id": person.user.map { "\($0)" } ?? "NULL"])
            }
            for (index, event) in person.events.enumerated() {
                let device = person.devices[index % person.devices.count]
                events.append(
                    CustomEvent(
                        index: events.count, id: UUID(), sender: .installation("phone-\(device)"), name: event.name,
                        time: .device(.now - .seconds(event.days * 86_400 + 3_600)),
                        properties: event.plan.map {
                            CustomEvent.Properties(JSONText(#"{"plan":"\#($0)"}"#), names: ["plan"])
                        }))
            }
        }
        let counts = try await fixture.stores.customEvents.store([
            CustomEventRequest(app: fixture.app, events: events, clock: EventClock(sentAt: .now))
        ])
        #expect(counts == [CustomEventCount(stored: events.count)])
    }

    @Test func everyWayToCountFindsThePeopleWithEnoughEvents() async throws {
        try await DeviceFixture.run { fixture in
            try await Self.fill(fixture)
            let pro = AudienceCustomEvent.Property("plan", .text(.is("pro")))
            let notPro = AudienceCustomEvent.Property("plan", .text(.isNot("pro")))
            for name in ["buy", "visit", "other"] {
                for days in [1, 7, 10, 30] {
                    for least in 1...3 {
                        for (tests, passes) in [
                            ([], { _ in true }), ([pro], { $0 == "pro" }), ([notPro], { $0 != "pro" }),
                        ] as [([AudienceCustomEvent.Property], (String?) -> Bool)] {
                            let event = AudienceCustomEvent(name, atLeast: least, withinDays: days, where: tests)
                            let expected = Self.people.filter { $0.count(event, passes) >= least }.flatMap(\.devices)
                            for events in [AudienceCompiler.Events.perDevice, .perRange(.all)] {
                                let condition = AudienceCompiler(app: fixture.app, events: events)
                                    .boolean(.customEvent(event))
                                let found = try await fixture.pool.query(
                                    "SELECT d.id FROM devices d WHERE d.app_id = \(fixture.app) AND \(condition) ORDER BY 1"
                                ).map { try $0[0, as: Int64.self] }
                                #expect(found == expected, "\(event)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func anAudienceIsCountedAndAMisspelledNameIsRefused() async throws {
        try await DeviceFixture.run { fixture in
            try await Self.fill(fixture)
            let audience = try Audience(json: JSON(parsing: #"{"include":{"event_name":"buy","within_days":30}}"#))
            let resolved = try await fixture.stores.segments.resolve(audience, app: fixture.app)
            let count = try await fixture.stores.audienceCounts.count(resolved, app: fixture.app)
            #expect(count.matches == 4 && count.isExact)

            let wrong = try JSON(parsing: #"{"exclude":{"event_name":"visits","within_days":30}}"#)
            let problems = try await fixture.stores.audienceChecks.check(wrong, app: fixture.app).problems
            #expect(problems.map { "\($0.path): \($0.code)" } == ["exclude.event_name: unknown-event-name"])
            #expect(problems.first?.message.description.hasSuffix("did you mean visit?") == true)
        }
    }
}
