import JSON
import Notifications
import TestSupport

/// Random payloads that the types can hold; ranges that only the rules know are kept.
struct PayloadGenerator {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func payload() -> Payload {
        Payload(aps: maybe { $0.aps() }, custom: members())
    }

    private mutating func aps() -> APS {
        APS(
            alert: maybe { $0.chance() ? .text($0.text()) : .dictionary($0.alert()) },
            badge: maybe { $0.count() }, sound: maybe { $0.sound() }, threadID: maybe { $0.text() },
            category: maybe { $0.text() }, contentAvailable: maybe { $0.chance() },
            mutableContent: maybe { $0.chance() }, targetContentID: maybe { $0.text() },
            interruptionLevel: maybe { .allCases.randomElement(using: &$0.generator)! },
            relevanceScore: maybe { $0.number(in: -1e12...1e12) }, filterCriteria: maybe { $0.text() },
            liveActivity: chance() ? LiveActivity() : liveActivity(), contentChanged: maybe { $0.chance() },
            urlArgs: maybe { $0.texts() }, other: members())
    }

    private mutating func alert() -> Alert {
        Alert(
            title: maybe { $0.alertText() }, subtitle: maybe { $0.text() }, body: maybe { $0.alertText() },
            launchImage: maybe { $0.text() }, titleLocKey: maybe { $0.text() }, titleLocArgs: maybe { $0.texts() },
            subtitleLocKey: maybe { $0.text() }, subtitleLocArgs: maybe { $0.texts() }, locKey: maybe { $0.text() },
            locArgs: maybe { $0.texts() }, action: maybe { $0.text() },
            actionLocKey: maybe { $0.chance() ? .null : .key($0.text()) }, summaryArg: maybe { $0.text() },
            summaryArgCount: maybe { $0.count() }, sound: maybe { $0.text() }, other: members())
    }

    private mutating func alertText() -> Alert.Text {
        chance()
            ? .plain(text())
            : .localized(.init(locKey: maybe { $0.text() }, locArgs: maybe { $0.texts() }, other: members()))
    }

    private mutating func sound() -> Sound {
        chance()
            ? .named(text())
            : .critical(
                .init(
                    name: maybe { $0.text() }, critical: maybe { $0.chance() }, volume: maybe { $0.number(in: 0...1) },
                    other: members()))
    }

    private mutating func liveActivity() -> LiveActivity {
        let channels = ["Zm9v", "Zm9vYg==", "+/+/", "AAA="]
        return LiveActivity(
            timestamp: maybe { $0.number(in: 0...99_999_999_999) },
            event: maybe { .allCases.randomElement(using: &$0.generator)! }, contentState: maybe { $0.members() },
            attributesType: maybe { $0.text() }, attributes: maybe { $0.members() },
            staleDate: maybe { $0.number(in: 0...99_999_999_999) },
            dismissalDate: maybe { $0.number(in: 0...99_999_999_999) }, inputPushToken: maybe { $0.chance() },
            inputPushChannel: maybe { channels.randomElement(using: &$0.generator)! })
    }

    /// With keys that are not Apple's and do not repeat.
    private mutating func members() -> [JSON.Member] {
        (0..<Int.random(in: 0...2, using: &generator)).map { index in
            JSON.Member("\(index)" + text(), .random(depth: 3, using: &generator))
        }
    }

    private mutating func maybe<Value>(_ make: (inout PayloadGenerator) -> Value) -> Value? {
        chance() ? make(&self) : nil
    }

    private mutating func chance() -> Bool { .random(using: &generator) }

    private mutating func text() -> String { JSON.randomText(using: &generator) }

    private mutating func texts() -> [String] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in text() }
    }

    private mutating func count() -> Int {
        [0, 1, .max, .random(in: 0...99, using: &generator)].randomElement(using: &generator)!
    }

    private mutating func number(in range: ClosedRange<Double>) -> JSON.Number {
        chance()
            ? JSON.Number(Int(Double.random(in: range, using: &generator)))
            : JSON.Number(floatLiteral: .random(in: range, using: &generator))
    }
}
