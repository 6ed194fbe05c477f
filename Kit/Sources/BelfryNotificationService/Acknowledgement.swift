import BelfryCore
import Foundation

/// Reports that a push arrived: on disk at once, and to the server as soon as it answers.
struct Acknowledgement {
    private let configuration: BelfryConfiguration?
    private let tools: ServiceTools
    private let diagnostics: Diagnostics

    init(_ configuration: BelfryConfiguration?, _ tools: ServiceTools, _ diagnostics: Diagnostics) {
        self.configuration = configuration
        self.tools = tools
        self.diagnostics = diagnostics
    }

    /// Returns after the event is on disk. The task sends it, without the installation, which the Keychain may lock;
    /// whatever it does not send waits for the next push or the app.
    func acknowledge(_ push: Push) -> Task<Void, Never>? {
        guard let id = push.messageID else { return nil }
        guard let configuration else {
            diagnostics.report(
                Diagnostic(
                    .configuration, "no-configuration",
                    "The service extension has no configuration, so nothing is acknowledged. Override configuration, "
                        + "or add the dictionary Belfry to its Info.plist."))
            return nil
        }
        if let mistake = configuration.mistake {
            diagnostics.report(mistake)
        }
        let folder = tools.folder(configuration.appGroup)
        if let diagnostic = folder.diagnostic { diagnostics.report(diagnostic) }
        let queue = EventQueue(root: folder.events, process: "service")
        do {
            let now = tools.clock.now
            try queue.record(Event(messageID: id, kind: .delivered, at: now), at: now)
        } catch {
            diagnostics.report(Diagnostic(.storage, "queue", "That a push arrived can't be stored: \(error)"))
            return nil
        }
        guard configuration.mistake == nil else { return nil }
        let sender = EventSender(
            queue: queue, configuration: configuration, transport: tools.transport(), diagnostics: diagnostics,
            clock: tools.clock)
        return Task { await sender.flush() }
    }
}
