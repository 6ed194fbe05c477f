import Foundation

extension Client {
    /// The names of Belfry's members in a payload: the app's, or else those that the server has told.
    public nonisolated var payloadKeys: PayloadKeys { configuration.payloadKeys ?? serverConfiguration.payloadKeys }

    /// Asks the server what has changed. Call it at each launch, before `categories` and `fetchPlans`, which then ask only
    /// for what is new.
    public func fetchConfiguration() async {
        let before = serverConfiguration.copy
        var copy = before
        revisions = nil
        guard await fetch(["client-configuration"], into: &copy) else { return }
        revisions = copy.value?.revisions
        guard copy.tag != before.tag || copy.value != before.value else { return }
        do { try serverConfiguration.write(copy) } catch {
            report(Diagnostic(.storage, "configuration", "The server's configuration can't be stored: \(error)"))
        }
    }
}
