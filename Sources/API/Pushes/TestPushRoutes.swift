import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Sends test pushes and returns Apple's responses.
struct TestPushRoutes: RouteGroup {
    private let apps: AppStore
    private let keys: MessageKeyStore
    private let pusher: any TestPusher
    private let preparation: TestPushPreparation

    init(stores: Stores, pusher: any TestPusher, contents: ContentLoader) {
        apps = stores.apps
        keys = stores.messageKeys
        self.pusher = pusher
        preparation = TestPushPreparation(
            contents: contents, devices: stores.addressedDevices)
    }

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/test-pushes", for: .permission(.testPushesSend), bodyLimit: TemplateRoutes.bodyLimit,
            takesIdempotencyKey: true, audit: .afterwards
        ) { [self] call in
            let app = try await apps.find(call.app)
            var body = try await ObjectReader(call.request)
            let draft = TestPushDraft(&body)
            let prepared = try await preparation.prepare(draft, &body, app)
            let answers = try await send(prepared, app)
            return .json([
                "data": .array(zip(prepared.recipients, answers).map { $0.json($1.id, $1.answer) }),
                "problems": .array(prepared.problems.map(\.json)),
            ])
        }
    }

    private func send(
        _ prepared: TestPushPreparation.Prepared, _ app: AppRecord
    ) async throws -> [(id: MessageID, answer: TestPushResult)] {
        guard let (number, key) = try await keys.newMessage(app: app.id) else { throw Refusal.notFound(.app) }
        var answers: [(id: MessageID, answer: TestPushResult?)] = []
        var pushes: [TestPush] = []
        let now = Int(Timestamp.now.secondsSince1970)
        for recipient in prepared.recipients {
            let id = MessageID(messageNumber: number, device: recipient.device?.rawValue ?? 0, key: key)
            switch prepared.message.payload(for: recipient.person, id: id, now: now) {
            case .payload(let payload):
                answers.append((id, nil))
                pushes.append(
                    TestPush(token: recipient.token, environment: recipient.environment, id: id, payload: payload))
            case .missing, .unusable, .tooLong:
                let preview = prepared.message.preview(for: recipient.person, now: now)
                answers.append((id, preview.map { TestPushResult(suppressedFor: $0) } ?? .notComposed))
            }
        }
        var sent = pushes.isEmpty ? [] : try await pusher.send(pushes, of: app.id, prepared.options)[...]
        return answers.compactMap { id, answer in (answer ?? sent.popFirst()).map { (id, $0) } }
    }
}

extension TestPushPreparation.Recipient {
    fileprivate func json(_ id: MessageID, _ answer: TestPushResult) -> JSON {
        let since = answer.invalidSince.map { Timestamp(microseconds: $0 * 1_000) }
        return [
            "installation": .text(installation), "nickname": .text(nickname), "environment": .string(environment.name),
            "host": .text(answer.host), "outcome": .string(answer.state.rawValue),
            "status": answer.status.map { .count($0) } ?? .null, "reason": .text(answer.reason),
            "invalid_since": .time(since), "apns_id": .string(id.text), "apns_unique_id": .text(answer.uniqueID),
            "meaning": .text(answer.meaning), "meaning_localization": .localization(answer.meaning),
            "remedy": .text(answer.remedy), "remedy_localization": .localization(answer.remedy),
        ]
    }
}

extension TestPushResult {
    fileprivate static var notComposed: TestPushResult {
        TestPushResult(.suppressed, meaning: "The content can't be composed.")
    }

    fileprivate init(suppressedFor variant: ContentPreview.Variant) {
        guard !variant.isTooLong else {
            self.init(
                .suppressed, reason: "payload too long",
                meaning: "The payload is \(variant.length) bytes long; Apple accepts at most \(variant.size.limit).",
                remedy: "Shorten it.")
            return
        }
        guard variant.unusable.isEmpty else {
            let names = variant.unusable.map(\.description).joined(separator: ", ")
            self.init(
                .suppressed, reason: "value not usable",
                meaning:
                    "The device has a value for \(names) that the text can't use. A default does not replace it.",
                remedy:
                    "Send another value to the device: text or a number; for date a date; for as_number a number, and "
                    + "in a badge a whole number from 0.")
            return
        }
        let names = variant.missing.map(\.description).joined(separator: ", ")
        self.init(
            .suppressed, reason: "value missing",
            meaning: "The device has no value for \(names), and there is no default.",
            remedy: "Add a default to the text, or a value to the device.")
    }
}
