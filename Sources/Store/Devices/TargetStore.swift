public import Campaigns
import EventLoop
import Notifications
public import Postgres

/// Finds the devices behind the targets of pushes.
public struct TargetStore: Sendable {
    /// A device, and the index of the target that led to it.
    public typealias Found = (target: Int, device: AddressedDevice)

    public struct Request: Sendable {
        public let app: App.ID
        public let kind: DeviceKind
        public let targets: PushTargets

        public init(app: App.ID, kind: DeviceKind, targets: PushTargets) {
            self.app = app
            self.kind = kind
            self.targets = targets
        }
    }

    /// Devices of one target at most.
    private static let maximumDevices = PushRequest.maximumDevices + 1

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The devices of each request that are not retired, sorted by id. For a target with more devices than a request
    /// may have, one more than that is returned.
    public func devices(of requests: [Request]) async throws -> [[Found]] {
        try Self.split(try await pool.query(Self.statement(requests)), among: requests.count)
    }

    private static func split(_ rows: PostgresRows, among count: Int) throws -> [[Found]] {
        var found = [[Found]](repeating: [], count: count)
        for row in rows {
            let request: Int32 = try row["request"]
            let target: Int32 = try row["target"]
            found[Int(request)].append((Int(target), try AddressedDevice(row)))
        }
        return found
    }

    /// LATERAL with LIMIT makes each target an index lookup, whatever the table's statistics are.
    private static func statement(_ requests: [Request]) -> PostgresQuery {
        var users = Names<String>()
        var installations = Names<String>()
        var tokens = Names<[UInt8]>()
        for (index, request) in requests.enumerated() {
            switch request.targets {
            case .users(let names): users.add(names, of: request, at: index)
            case .installations(let names): installations.add(names, of: request, at: index)
            case .tokens(let names): tokens.add(names.map(\.bytes), of: request, at: index)
            }
        }
        return """
            SELECT d.is_test, \(AddressedDeviceStore.columns), d.request, d.target
            FROM (
                \(users.match("user_id"))
                UNION ALL
                \(installations.match("installation"))
                UNION ALL
                \(tokens.match("token"))
            ) AS d
            ORDER BY d.request, d.id
            """
    }

    /// Targets of one kind, of all requests.
    private struct Names<Name: PostgresArrayElement> {
        var requests: [Int32] = []
        var targets: [Int32] = []
        var apps: [Int64] = []
        var kinds: [Int16] = []
        var names: [Name] = []

        mutating func add(_ names: [Name], of request: Request, at index: Int) {
            for (target, name) in names.enumerated() {
                requests.append(Int32(index))
                targets.append(Int32(target))
                apps.append(request.app.rawValue)
                kinds.append(request.kind.rawValue)
                self.names.append(name)
            }
        }

        func match(_ column: String) -> PostgresQuery {
            """
            SELECT d.*, n.request, n.target
            FROM unnest(\(requests), \(targets), \(apps), \(kinds), \(names)) AS n (request, target, app_id, kind, name)
            CROSS JOIN LATERAL (
                SELECT * FROM devices d
                WHERE d.app_id = n.app_id AND d.\(unescaped: column) = n.name AND d.kind = n.kind AND d.retired_at IS NULL
                ORDER BY d.id LIMIT \(maximumDevices)
            ) AS d
            """
        }
    }
}
