import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

/// Damaged texts from the server, from pushes and from the disk. A crash of the test process is the failure.
@Suite struct FuzzTests {
    private static let rounds = 1_500
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let payload =
        #"{"aps":{"alert":{"title":"T","body":"B","loc-args":["a",1]},"badge":3,"category":"C","content-available":1},"#
        + #""i":"11153971268435968","attachment-url":"https://e.com/a.png","attachment-type":"image","x":{"y":[1,2]},"#
        + #""belfry-buttons":[{"id":"a","title":"A","link":"https://e.com/a","destructive":true},{"id":"b","title":"B"}]}"#
    private static let categories =
        #"{"form":"un","categories":[{"identifier":"ORDER","actions":[{"identifier":"buy","title":"Buy","options":4,"#
        + #""icon":{"system_image_name":"cart"},"text_input":{"button_title":"Send","placeholder":"Text"}}],"#
        + #""intent_identifiers":["I"],"hidden_previews_body_placeholder":"%u","category_summary_format":"%@","#
        + #""options":1}]}"#
    private static let plans =
        #"{"notifications":[{"identifier":"a","trigger":{"type":"interval","seconds":60,"repeats":true},"content":{}},"#
        + #"{"identifier":"b","trigger":{"type":"calendar","components":{"hour":8},"time_zone":"UTC"},"content":{}},"#
        + #"{"identifier":"c","trigger":{"type":"region","identifier":"r","latitude":1.5,"longitude":2,"radius":3,"#
        + #""on_entry":true,"on_exit":false},"content":{"aps":{"alert":"A"}}},"#
        + #"{"identifier":"d","trigger":{"type":"app_update","seconds":1},"content":{}}],"omitted_count":2}"#
    private static let answer =
        #"{"registered":false,"stored":1,"duplicates":0,"failed":[{"index":0,"code":"too-late","message":"M"}],"#
        + #""warnings":[{"path":"/token","code":"short","message":"M"}],"code":"device-not-found","detail":"D"}"#

    @Test func damagedPayloadsAreRead() throws {
        try each(Self.payload, seed: 1) { bytes in
            guard let members = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else { return }
            let push = Push(userInfo: members)
            #expect(push.buttons.count <= Push.maximumButtons)
            _ = ButtonRegistration.identifier(of: push.buttons)
            _ = ResponseEvent(push: push, requestID: "r", action: "a", text: push.alert?.body, at: Self.now)
        }
    }

    @Test func damagedCategoriesAndPlansAreReadOrRefused() throws {
        var registration = CategoryRegistration()
        try each(Self.categories, seed: 2) { bytes in
            var copy = ServerCopy<CategoryList>()
            try? copy.received(status: 200, tag: nil, body: bytes)
            if let list = copy.value { _ = registration.update(to: list.categories, present: ["ORDER"]) }
        }
        var schedule = PlanSchedule()
        try each(Self.plans, seed: 3) { bytes in
            var copy = ServerCopy<PlanList>()
            try? copy.received(status: 200, tag: nil, body: bytes)
            guard let list = copy.value else { return }
            let device = PlanSchedule.Device(pending: ["belfry.plan.a"], timeZone: "UTC", appVersion: "1")
            #expect(schedule.update(to: list, on: device).pending <= PlanSchedule.systemLimit)
        }
    }

    @Test func damagedFilesOfTheDeviceAreReadOrRefused() throws {
        var chain = RegistrationChain()
        chain.register(try ClientFixture.token(), at: Self.now)
        chain.update(ClientFixture.state, at: Self.now)
        chain.logIn(User(id: "ada", signature: "s", person: .object(["a": .null])), at: Self.now)
        chain.update(["add_tags": .array([.string("x")])])
        chain.logOut(at: Self.now)
        func use(_ bytes: Data) {
            guard var chain = try? JSONDecoder().decode(RegistrationChain.self, from: bytes) else { return }
            chain.logIn(User(id: "grace"), at: Self.now)
            chain.update(["add_tags": .array([.string("y")])])
            chain.refresh(at: Self.now)
            for _ in 0..<8 {
                guard let request = chain.next(at: Self.now) else { break }
                _ = try? JSONEncoder().encode(request.body)
                chain.ended(request, succeeded: true)
            }
        }
        let file = try Self.text(chain)
        for name in ["generation", "stepNumber", "changedAt"] {
            for value in ["9223372036854775807", "-9223372036854775808", "1e308", "-1e308"] {
                use(
                    Data(
                        file.replacingOccurrences(
                            of: #""\#(name)":[-0-9.e]+"#, with: #""\#(name)":\#(value)"#, options: .regularExpression
                        ).utf8))
            }
        }
        try each(file, seed: 4, use)
        var responses = HandledResponses()
        let tap = ResponseEvent(
            push: ClientFixture.push(), requestID: "r", action: ResponseEvent.defaultAction, at: Self.now)
        _ = responses.handle(tap, at: Self.now)
        try each(Self.text(responses), seed: 5) { bytes in
            guard var responses = try? JSONDecoder().decode(HandledResponses.self, from: bytes) else { return }
            _ = responses.handle(tap, at: Self.now)
            _ = responses.convertedMessage(at: Self.now)
        }
    }

    @Test func damagedEventsAndNamesOfFilesEndNoSending() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-kit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("app")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let event = Event(messageID: "m", kind: .text, at: Self.now, action: "a", text: "T", value: 1.5)
        var mutator = Mutator(seed: 6)
        let text = Array(try JSONEncoder().encode(event))
        for _ in 0..<200 {
            let file = EventFile(at: Self.now, uptime: 1)
            let names = [file.name, file.temporaryName, file.claimName(at: Self.now)]
            let name = mutator.damaged(Array(names[Int.random(in: 0..<3, using: &mutator.random)].utf8))
                .map { (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "/") ? Character(UnicodeScalar($0)) : "-" }
            guard !name.isEmpty, name.count < 200 else { continue }
            let url = folder.appendingPathComponent(String(name))
            // A name of dots is a folder's.
            guard name.contains(where: { $0 != "." }) else { continue }
            try Data(mutator.damaged(text)).write(to: url)
        }
        let queue = EventQueue(root: root, process: "app")
        for time in [Self.now, .distantPast, .distantFuture, Self.now + 1_000] {
            let claims = try await queue.claim(at: time).claims
            for range in try EventBatch.split(claims.map(\.event)) {
                _ = try EventBatch.body(claims[range].map(\.event), sentAt: time)
            }
            try await queue.release(claims)
        }
    }

    @Test func damagedAnswersEndEachRequest() async throws {
        let mutator = Guarded(Mutator(seed: 7))
        let statuses = [200, 200, 204, 302, 400, 404, 413, 422, 503, 0, 999]
        let retryAfter = ["1", "-1", "1e400", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "", "\u{0}"]
        let server = RecordingServer { _, _ in
            mutator.withLock { mutator in
                let body = mutator.damaged(Array(Self.answer.utf8))
                return .answer(
                    .init(
                        status: statuses.randomElement(using: &mutator.random) ?? 200,
                        headers: ["retry-after": retryAfter.randomElement(using: &mutator.random) ?? ""],
                        body: Data(body)))
            }
        }
        for round in 0..<60 {
            try await ClientFixture.with(server) { fixture in
                let client = try fixture.client()
                await client.register(try ClientFixture.token())
                await client.update(ClientFixture.state)
                await client.logIn(User(id: "ada-\(round)"))
                await client.setOptedOut(true, of: "*")
                await client.logOut()
                for kind in [Event.Kind.opened, .text, .converted] {
                    try client.record(ClientFixture.push(), kind, text: "T")
                }
                await client.flush()
                _ = await client.topics(locale: "en")
            }
        }
    }

    /// Sorted, so that a seed means the same text each time.
    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func each(_ text: String, seed: UInt64, _ body: (Data) throws -> Void) throws {
        var mutator = Mutator(seed: seed)
        for _ in 0..<Self.rounds { try body(Data(mutator.damaged(Array(text.utf8)))) }
    }
}

/// Damages a text in the ways that break parsers. The seed repeats a failure.
struct Mutator: Sendable {
    var random: SplitMix

    private static let pieces = [
        "null", "true", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "1e400", "0.1", "\"\"",
        "\"\\u0000\"", "\"\\ud800\"", "[]", "{}", "[[[[", "{\"a\":", "💥", ",", ":", "\"", "\\",
    ].map { Array($0.utf8) }

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&text) }
        return text
    }

    private mutating func damage(_ text: inout [UInt8]) {
        guard !text.isEmpty else { return }
        let index = Int.random(in: 0..<text.count, using: &random)
        let piece = Self.pieces.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text[index] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: index)
        case 2: text.insert(contentsOf: piece, at: index)
        case 3: text.removeSubrange(index..<min(index + 20, text.count))
        // A whole value, which the parser still reads.
        default: replaceValue(from: index, in: &text, by: piece)
        }
    }

    /// Replaces what is between the next colon and the next comma or brace.
    private func replaceValue(from index: Int, in text: inout [UInt8], by piece: [UInt8]) {
        guard let colon = text[index...].firstIndex(of: UInt8(ascii: ":")) else { return }
        let end = text[(colon + 1)...].firstIndex { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) }
        text.replaceSubrange((colon + 1)..<(end ?? text.count), with: piece)
    }
}
