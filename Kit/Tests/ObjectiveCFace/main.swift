// Calls the kit as an app in Objective-C does, offline: what each call leaves on the disk and returns is what its
// counterpart of Swift does. Scripts/checks/kit-objective-c builds it with `BLFBelfry` without its attributes, since Linux
// has no runtime of Objective-C. The first argument is the home folder of the run.

import BelfryCore
import BelfryKit
import Foundation
import UserNotifications

func expect(_ isTrue: @autoclosure () -> Bool, _ what: String, line: Int = #line) {
    guard !isTrue() else { return }
    print("main.swift:\(line): \(what)")
    exit(1)
}

let files = URL(fileURLWithPath: CommandLine.arguments[1]).appendingPathComponent("Library/Application Support/Belfry")

/// A sender that claims an event renames its file: then the folder is read again.
func events(in queue: String = "events") -> [JSONValue] {
    let folder = files.appendingPathComponent("\(queue)/app")
    while true {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let contents = names.sorted().compactMap { try? Data(contentsOf: folder.appendingPathComponent($0)) }
        guard contents.count == names.count else { continue }
        return contents.compactMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
    }
}

func registration() -> String {
    (try? String(contentsOf: files.appendingPathComponent("registration.json"), encoding: .utf8)) ?? ""
}

func notification(_ id: String, _ userInfo: [AnyHashable: Any]) -> UNNotification {
    let content = UNMutableNotificationContent()
    content.userInfo = userInfo
    return UNNotification(
        stub: UNNotificationRequest(identifier: id, content: content, trigger: nil), date: Date())
}

let api = URL(string: "http://localhost:1/v1/apps/1")!
BLFBelfry.start(api: api, publishableKey: "bfp_x", appGroup: nil, keychainGroup: nil, messageIDKey: "id")
BLFBelfry.register(token: Data(repeating: 1, count: 32))
BLFBelfry.logIn(user: "ada", signature: "abc", person: ["attributes": ["plan": "gold"]])
BLFBelfry.setOptedOut(true, topic: "offers")

let push: [AnyHashable: Any] = ["aps": ["alert": "Tonight"], "id": "m1", "link": "bells://tonight"]
let shown = notification("r1", push)
expect(BLFBelfry.willPresent(shown) == [.banner, .list, .badge, .sound], "a push in the foreground is shown")
let opened = BLFBelfry.handle(
    UNNotificationResponse(stub: shown, actionIdentifier: UNNotificationDefaultActionIdentifier))
expect(opened.kind == .opened && opened.custom["link"] as? String == "bells://tonight", "a tap opens with its members")
let again = BLFBelfry.handle(
    UNNotificationResponse(stub: shown, actionIdentifier: UNNotificationDefaultActionIdentifier))
expect(again.kind == .repeated && again.custom.isEmpty, "the second report of a tap is repeated")
let reply = BLFBelfry.handle(
    UNTextInputNotificationResponse(stub: shown, actionIdentifier: "answer", userText: "Gladly"))
expect(reply.kind == .reply && reply.identifier == "answer" && reply.text == "Gladly", "a reply has its text")
let typed: [AnyHashable: Any] = [
    "aps": ["alert": "Tonight"], "id": "m2", "belfry-buttons": [["id": "go", "title": "Go", "link": "bells://go"]],
]
let pressed = BLFBelfry.handle(UNNotificationResponse(stub: notification("r3", typed), actionIdentifier: "go"))
expect(pressed.kind == .action && pressed.link == URL(string: "bells://go"), "a pressed button has its link")
expect(opened.link == nil && reply.link == nil, "other responses have no link")
let other = BLFBelfry.handle(UNNotificationResponse(stub: notification("r2", [:]), actionIdentifier: "a"))
expect(other.kind == .foreign, "a notification of the app itself is foreign")
expect(BLFBelfry.convert("purchase", value: 9.5), "a purchase counts for the opened push")
expect(BLFBelfry.receive(userInfo: push)?["link"] as? String == "bells://tonight", "a silent push has its members")
expect(BLFBelfry.receive(userInfo: ["aps": [:]]) == nil, "a silent push of another service has none")
BLFBelfry.record(userInfo: push, kind: "influenced")

let kinds = Set(events().compactMap { $0.object?["kind"]?.string })
expect(
    kinds == ["presented", "opened", "text", "action", "converted", "delivered", "influenced"],
    "each call is on the disk before it returns; there are \(kinds.sorted())")
expect(events().contains { $0.object?["value"]?.double == 9.5 }, "the value of the purchase is kept")

BLFBelfry.track("purchase", value: 9.5, properties: ["plan": "pro", "items": 3, "none": NSNull()])
BLFBelfry.track("purchase", value: nil, properties: ["at": Date()])
let tracked = events(in: "custom-events")
expect(tracked.count == 1, "an event with a date as a property is left out")
expect(tracked.first?.object?["properties"]?.object?["items"]?.integer == 3, "the properties are kept")

let ended = DispatchSemaphore(value: 0)
Task { @MainActor in
    BLFBelfry.flush {
        let text = registration()
        for part in ["ada", "abc", "gold", "offers", String(repeating: "01", count: 32)] {
            expect(text.contains(part), "\(part) waits for the server")
        }
        BLFBelfry.topics(all: nil) { topics in
            expect(topics == nil, "without a network there are no switches")
            BLFBelfry.readDiagnostics { diagnostic in
                if diagnostic.contains("The property at must be text") { return }
                expect(diagnostic.contains("unreachable"), "developers learn that nobody answers, not: \(diagnostic)")
                exit(0)
            }
        }
    }
}
dispatchMain()
