public import Campaigns
public import EventLoop
public import Store

/// Finds the devices of a push's targets. Concurrent requests share one statement, which is most of their cost.
public struct TargetLookup: Sendable {
    /// The number of concurrent statements, and of requests in one.
    private static let maximumConcurrentGroups = 2
    private static let groupSize = 100

    private let requests: RequestCoalescer<TargetStore.Request, [TargetStore.Found]>

    /// The store's pool is pinned to `loop`.
    public init(_ targets: TargetStore, on loop: EventLoop) {
        requests = RequestCoalescer(
            maximumConcurrentGroups: Self.maximumConcurrentGroups, groupSize: Self.groupSize, on: loop
        ) {
            try await targets.devices(of: $0)
        }
    }

    /// The same as `TargetStore.devices`, for one request.
    public func devices(of targets: PushTargets, app: App.ID, kind: DeviceKind) async throws -> [TargetStore.Found] {
        try await requests.submit(TargetStore.Request(app: app, kind: kind, targets: targets))
    }
}
