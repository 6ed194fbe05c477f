import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// The webhooks of an app, and the log of what they were told.
struct WebhookRoutes: RouteGroup {
    let apps: AppStore
    let webhooks: WebhookStore
    let deliveries: WebhookDeliveryStore
    /// Whether this server sends to private addresses, and over http://.
    let allowsPrivate: Bool

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/webhooks", for: .permission(.appsWrite), takesIdempotencyKey: true, answerHoldsSecret: true
        ) { [self] call in
            var draft = try await WebhookDraft(call.request, isNew: true, allowsPrivate: allowsPrivate)
            let settings = try draft.complete()
            try call.check(settings.kinds)
            let (webhook, secret) = try await webhooks.create(settings, app: call.app)
            return .json(webhook.json(showing: secret), version: webhook.version, status: .created)
                .located(at: call.path("webhooks", webhook.id))
        }
        routes.addForApp(.get, "/webhooks", for: .permission(.appsRead), query: Paging.parameters) { [self] call in
            let page: Page<Webhook.ID> = try Paging.page(call.request)
            let list = try await webhooks.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id) { $0.json() }
        }
        routes.addForApp(.get, "/webhooks/{webhook}", for: .permission(.appsRead)) { [self] call in
            let webhook = try await webhooks.find(call.webhook, app: call.app)
            return .json(webhook.json(), version: webhook.version)
        }
        routes.addForApp(.patch, "/webhooks/{webhook}", for: .permission(.appsWrite)) { [self] call in
            var draft = try await WebhookDraft(call.request, allowsPrivate: allowsPrivate)
            let current = try await webhooks.find(call.webhook, app: call.app)
            let settings = try draft.changing(current)
            try call.check(settings.kinds)
            let webhook = try await webhooks.update(
                current.id, app: call.app, to: settings, expectedVersion: call.expectedVersion)
            return .json(webhook.json(), version: webhook.version)
        }
        routes.addForApp(.delete, "/webhooks/{webhook}", for: .permission(.appsWrite)) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            try await webhooks.delete(call.webhook, app: call.app, expectedVersion: call.expectedVersion)
            return .noContent
        }
        routes.addForApp(
            .post, "/webhooks/{webhook}/rotate", for: .permission(.appsWrite), takesIdempotencyKey: true,
            answerHoldsSecret: true
        ) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            let (webhook, secret) = try await webhooks.rotate(call.webhook, app: call.app)
            return .json(webhook.json(showing: secret), version: webhook.version)
        }
        addDeliveries(to: &routes)
    }

    private func addDeliveries(to routes: inout Routes) {
        routes.addForApp(.post, "/webhooks/{webhook}/test", for: .permission(.appsWrite)) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            return .json(try await deliveries.test(call.webhook, app: call.app).json(in: call), status: .accepted)
        }
        routes.addForApp(
            .get, "/webhooks/{webhook}/deliveries", for: .permission(.appsRead), query: Paging.parameters + ["outcome"]
        ) { [self] call in
            let page: Page<Webhook.Delivery.ID> = try Paging.page(call.request)
            let isFiltered = call.request.queryItems["outcome"] != nil
            let state: WebhookDeliveryRecord.State? =
                isFiltered ? try call.request.choice("outcome", otherwise: .waiting) : nil
            let list = try await deliveries.list(
                of: call.webhook, app: call.app, state: state, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await webhooks.find(call.webhook, app: call.app) }
            return Paging.response(list, page, id: \.id) { $0.json(in: call) }
        }
        routes.addForApp(.post, "/webhooks/{webhook}/deliveries/{delivery}/resend", for: .permission(.appsWrite)) {
            [self] call in
            try await ObjectReader.refuseBody(call.request)
            let delivery = try await deliveries.resend(call.delivery, of: call.webhook, app: call.app)
            return .json(delivery.json(in: call), status: .accepted)
        }
    }
}

extension AppCall {
    fileprivate var webhook: Webhook.ID { get throws { try id("webhook", .webhook) } }
    fileprivate var delivery: Webhook.Delivery.ID { get throws { try id("delivery", .delivery) } }

    /// Throws if the events would show the caller devices that the caller may not see.
    fileprivate func check(_ kinds: [Webhook.EventKind]) throws(APIError) {
        if kinds.contains(where: \.isAboutDevices) { try require(.devicesRead) }
    }
}

extension Webhook.EventKind {
    var isAboutDevices: Bool { listName != nil }
}
