public import Campaigns
public import EventLoop
public import Store

/// Finds the devices behind the targets of a push. Concurrent requests share one statement, which is most of the cost of
/// each.
public struct TargetLookup: Sendable {
    /// Statements at a time, and requests of one.
    private static let groupsUnderWay = 2
    private static let groupSize = 100

    private let requests: RequestCoalescer<TargetStore.Request, [TargetStore.Found]>

    /// The store's pool is pinned to `loop`.
    public init(_ targets: TargetStore, on loop: EventLoop) {
        requests = RequestCoalescer(groupsUnderWay: Self.groupsUnderWay, groupSize: Self.groupSize, on: loop) {
            try await targets.devices(of: $0)
        }
    }

    /// As `TargetStore.devices`, for one request.
    public func devices(of targets: PushTargets, app: App.ID, kind: DeviceKind) async throws -> [TargetStore.Found] {
        try await requests.submit(TargetStore.Request(app: app, kind: kind, targets: targets))
    }
}
