import BelfryCore
import Foundation
import UserNotifications

/// A notification that waits for its parts, and the handler that shows it, which is called once.
///
/// Unchecked, because contents and the handler are not `Sendable`: all are reached under the lock, and the handler, which
/// iOS lets the extension call on any thread, leaves it once.
final class PendingDelivery: @unchecked Sendable {
    static let identifier = "belfry"

    private let lock = NSLock()
    private var delivery: ServiceDelivery
    private var content: UNMutableNotificationContent
    private var attachment: UNNotificationAttachment?
    private var category: String?
    private var handler: ((UNNotificationContent) -> Void)?
    private(set) var work: [Task<Void, Never>] = []
    private var isTimeOver = false

    init(
        _ content: UNMutableNotificationContent, waitingFor parts: Set<ServiceDelivery.Part>,
        _ handler: @escaping (UNNotificationContent) -> Void
    ) {
        self.content = content
        self.handler = handler
        delivery = ServiceDelivery(waitingFor: parts)
    }

    /// Work that is cancelled when the time ends.
    func own(_ task: Task<Void, Never>?) {
        guard let task else { return }
        lock.lock()
        work.append(task)
        let isLate = isTimeOver
        lock.unlock()
        if isLate { task.cancel() }
    }

    /// `draft` replaces the content as it came.
    func prepared(_ draft: UNMutableNotificationContent) {
        end {
            let action = delivery.ended(.preparation)
            if action != .nothing { content = draft }
            return action
        }
    }

    /// The category of the push's buttons is registered. One that the app has set in `prepare` wins.
    func show(category identifier: String) {
        end {
            let action = delivery.ended(.buttons)
            if action != .nothing { category = identifier }
            return action
        }
    }

    /// The download has ended. A file that is not shown is removed.
    func attach(_ file: URL?, _ diagnostics: Diagnostics) {
        var made: UNNotificationAttachment?
        if let file {
            do { made = try UNNotificationAttachment(identifier: Self.identifier, url: file) } catch {
                diagnostics.report(
                    Diagnostic(.attachment, "attachment-refused", "iOS does not show the attached file: \(error)"))
            }
        }
        let action = end {
            let action = delivery.ended(.attachment)
            if action != .nothing { attachment = made }
            return action
        }
        // The next sweep removes it otherwise.
        if let file, made == nil || action == .nothing { try? FileManager.default.removeItem(at: file) }
    }

    func timeEnds() {
        end { delivery.timeEnds() }
        lock.lock()
        isTimeOver = true
        let ended = work
        lock.unlock()
        // A cancelled acknowledgement gives its events back to the queue.
        for task in ended { task.cancel() }
    }

    @discardableResult
    private func end(_ decide: () -> ServiceDelivery.Action) -> ServiceDelivery.Action {
        lock.lock()
        let action = decide()
        guard action == .deliver, let handler else {
            lock.unlock()
            return action
        }
        self.handler = nil
        if let attachment { content.attachments.append(attachment) }
        if let category, content.categoryIdentifier.isEmpty { content.categoryIdentifier = category }
        let shown = content
        lock.unlock()
        handler(shown)
        return action
    }
}
