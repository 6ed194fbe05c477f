public import Store

/// Phones of a simulator in the same process. `belfry demo` provides the implementation; other servers have none.
public protocol VirtualPhones: Sendable {
    /// Lets one more phone run the app, which registers through the API with this publishable key. Returns the phone's
    /// installation.
    func add(to app: AppRecord, publishableKey: String) async throws -> String
}
