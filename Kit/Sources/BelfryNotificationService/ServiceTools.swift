import BelfryCore
import Dispatch
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of iOS that the extension uses. Tests replace them.
struct ServiceTools {
    /// From the name of the app group.
    var folder: @Sendable (String?) -> KitFolder = Self.folder
    /// In the extension's own container: iOS moves the file to its own place.
    var attachments = AttachmentFolder(
        url: FileManager.default.temporaryDirectory.appendingPathComponent("BelfryAttachments", isDirectory: true))
    /// A closure, because the center is not Sendable in every SDK.
    var center: @Sendable () -> UNUserNotificationCenter = { .current() }
    var buttons = ButtonCategories.shared
    var transport: @Sendable () -> any Transport = { URLSessionTransport() }
    /// A session configuration for each download.
    var session: @Sendable () -> URLSessionConfiguration = { .ephemeral }
    var clock: any ClientClock = SystemClock()
    /// In seconds. Not `ProcessInfo.systemUptime`, for which Apple asks the app for a reason.
    var uptime: @Sendable () -> TimeInterval = { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    private static func folder(_ appGroup: String?) -> KitFolder {
        #if canImport(Darwin)
            KitFolder(appGroup: appGroup)
        #else
            KitFolder(appGroup: nil, container: { _ in nil }, own: FileManager.default.temporaryDirectory)
        #endif
    }
}

/// The download of a push's file.
struct Loading: Sendable {
    private let attachment: Push.Attachment
    private let tools: ServiceTools
    private let time: ServiceTime
    private let diagnostics: Diagnostics

    init(_ attachment: Push.Attachment, _ tools: ServiceTools, _ time: ServiceTime, _ diagnostics: Diagnostics) {
        self.attachment = attachment
        self.tools = tools
        self.time = time
        self.diagnostics = diagnostics
    }

    /// Nil if the file can't be shown, which is reported.
    func load() async -> URL? {
        await tools.attachments.download(
            attachment, at: tools.clock.now, within: time.left(at: tools.uptime()), tools.session(),
            report: diagnostics.report)
    }
}
