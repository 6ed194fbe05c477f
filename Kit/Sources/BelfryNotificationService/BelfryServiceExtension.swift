@_exported import BelfryCore
import Foundation
import UserNotifications

/// The base class of an app's notification service extension: it acknowledges that a push arrived, attaches the file that
/// the push names, and registers the buttons that were typed for it.
///
/// iOS starts the extension for alerts with `"mutable-content": 1` only, which Belfry sets for pushes with a file or
/// buttons. It gives the extension about 30 seconds and little memory, promises neither, and may end it at any time; the
/// text is always shown. Make a subclass, name it in the Info.plist of the target (`NSExtensionPrincipalClass`), and
/// override `configuration`. Methods run on threads of iOS: in a target whose default actor isolation is `MainActor`, as in
/// new projects of Xcode 26, write `nonisolated class`.
///
/// Source: Apple, "Modifying content in newly delivered notifications".
open class BelfryServiceExtension: UNNotificationServiceExtension {
    /// The server to acknowledge to. The default reads the dictionary `Belfry` of the extension's Info.plist; see
    /// `BelfryConfiguration.init(infoPlist:)`. Without a configuration nothing is acknowledged, and files are still
    /// attached.
    open var configuration: BelfryConfiguration? {
        Bundle.main.infoDictionary.flatMap(BelfryConfiguration.init(infoPlist:))
    }

    /// Changes the notification before it is shown, for example to decrypt its text. The file is downloaded meanwhile, and
    /// added afterwards. If the time ends first, the notification is shown as it came, without these changes, so end
    /// early. It is called on any thread. The default changes nothing.
    open func prepare(_ content: UNMutableNotificationContent, for push: Push) async {}

    /// A mistake, for developers: it never contains a text of a person. It is called on any thread, and each mistake once
    /// for a notification. The default logs it.
    open func report(_ diagnostic: Diagnostic) { ServiceLog.log(diagnostic) }

    /// The parts of iOS that it uses; tests replace them.
    var tools = ServiceTools()
    let delivery = Guarded<PendingDelivery?>(nil)

    override open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let time = ServiceTime(startingAt: tools.uptime())
        let configuration = configuration
        let reporter = Reporter(service: self)
        let diagnostics = Diagnostics { reporter.service.report($0) }
        let push = Push(userInfo: request.content.userInfo, keys: payloadKeys(configuration))
        // First and alone: it waits for nothing, and nothing waits for it.
        let sending = Acknowledgement(configuration, tools, diagnostics).acknowledge(push)

        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
            let draft = request.content.mutableCopy() as? UNMutableNotificationContent
        else { return contentHandler(request.content) }
        let (buttons, fault) = push.readButtons()
        if let fault { diagnostics.report(fault) }
        var parts: Set<ServiceDelivery.Part> = [.preparation]
        if !buttons.isEmpty { parts.insert(.buttons) }
        if push.attachment != nil { parts.insert(.attachment) }
        let pending = PendingDelivery(content, waitingFor: parts, contentHandler)
        delivery.withLock { $0 = pending }
        pending.own(sending)
        pending.own(Preparation(service: self, draft: draft, push: push, pending: pending).start())
        if !buttons.isEmpty {
            let (categories, center) = (tools.buttons, tools.center)
            pending.own(Task { pending.show(category: await categories.register(buttons, in: center)) })
        }
        if let attachment = push.attachment {
            let loading = Loading(attachment, tools, time, diagnostics)
            pending.own(Task { await pending.attach(loading.load(), diagnostics) })
        }
    }

    /// The extension's own, or else those that the server has told the app, if they share a group.
    private func payloadKeys(_ configuration: BelfryConfiguration?) -> PayloadKeys {
        if let keys = configuration?.payloadKeys { return keys }
        return ServerConfigurationFile(in: tools.folder(configuration?.appGroup).url).payloadKeys
    }

    /// Delivers what there is.
    override open func serviceExtensionTimeWillExpire() {
        delivery.withLock { $0 }?.timeEnds()
    }
}

/// Calls `report`, which belongs to a class that is not `Sendable`.
///
/// Unchecked, because `report` alone is called, and its documentation says that this may be on any thread.
private struct Reporter: @unchecked Sendable {
    let service: BelfryServiceExtension
}

/// Calls `prepare` with a content of its own.
///
/// Unchecked, because nobody else has the draft before `prepare` has ended, and the methods of the service may be called on
/// any thread.
private struct Preparation: @unchecked Sendable {
    let service: BelfryServiceExtension
    let draft: UNMutableNotificationContent
    let push: Push
    let pending: PendingDelivery

    func start() -> Task<Void, Never> {
        Task {
            await service.prepare(draft, for: push)
            pending.prepared(draft)
        }
    }
}
