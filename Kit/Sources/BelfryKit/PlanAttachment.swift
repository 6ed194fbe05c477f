import BelfryCore
import Foundation
@preconcurrency import UserNotifications

/// The file of a local notification. It is downloaded when the notification is scheduled; without it the text is shown.
enum PlanAttachment {
    /// Seconds for one file.
    static let timeout: TimeInterval = 30

    /// Nil if there is none, or if it can't be shown, which is reported.
    static func load(_ address: URL?, _ client: Client) async -> URL? {
        guard let address else { return nil }
        let folder = AttachmentFolder(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("BelfryAttachments", isDirectory: true))
        return await folder.download(
            Push.Attachment(url: address, type: nil), at: Date(), within: timeout, .ephemeral, report: client.report)
    }

    /// Empty if iOS does not take the file.
    static func make(_ file: URL, _ client: Client) -> [UNNotificationAttachment] {
        do { return [try UNNotificationAttachment(identifier: "belfry", url: file)] } catch {
            client.report(
                Diagnostic(.attachment, "attachment-refused", "iOS does not show the attached file: \(error)"))
            try? FileManager.default.removeItem(at: file)
            return []
        }
    }
}
