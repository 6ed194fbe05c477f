public import Campaigns
public import EventLoop
import Notifications
public import Postgres

/// Finds the devices behind targets; of many requests at once by one statement, which is most of the cost of each.
public struct TargetLookup: Sendable {
    /// A device, and the place of the target that led to it.
    public typealias Found = (target: Int, device: AddressedDevice)

    struct Request: Sendable {
        let app: App.ID
        let kind: DeviceKind
        let targets: PushTargets
    }

    /// Statements at a time, and requests of one.
    private static let groupsUnderWay = 2
    private static let groupSize = 100
    /// Devices of one target at most.
    private static let maximumDevices = PushRequest.maximumDevices + 1

    private let gathered: Gathered<Request, [Found]>

    /// `pool` is pinned to `loop`.
    public init(pool: PostgresPool, on loop: EventLoop) {
        gathered = Gathered(groupsUnderWay: Self.groupsUnderWay, groupSize: Self.groupSize, on: loop) { requests in
            try Self.split(try await pool.query(Self.statement(requests)), among: requests.count)
        }
    }

    /// Those that are not retired, in the order of their ids. More than a request may have of one target are not all
    /// looked for, but then there are more than that.
    public func devices(of targets: PushTargets, app: App.ID, kind: DeviceKind) async throws -> [Found] {
        try await gathered.submit(Request(app: app, kind: kind, targets: targets))
    }

    private static func split(_ rows: PostgresRows, among count: Int) throws -> [[Found]] {
        var found = [[Found]](repeating: [], count: count)
        for row in rows {
            let request: Int32 = try row[AddressedDevice.columnCount]
            let target: Int32 = try row[AddressedDevice.columnCount + 1]
            found[Int(request)].append((Int(target), try AddressedDevice(row)))
        }
        return found
    }

    /// Each target is an index's look-up, whatever the planner knows of the table.
    private static func statement(_ requests: [Request]) -> PostgresQuery {
        var users = Names<String>()
        var installations = Names<String>()
        var tokens = Names<[UInt8]>()
        for (place, request) in requests.enumerated() {
            switch request.targets {
            case .users(let names): users.add(names, of: request, place)
            case .installations(let names): installations.add(names, of: request, place)
            case .tokens(let names): tokens.add(names.map(\.bytes), of: request, place)
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

    /// Targets of one sort, of all requests.
    private struct Names<Name: PostgresArrayElement> {
        var requests: [Int32] = []
        var targets: [Int32] = []
        var apps: [Int64] = []
        var kinds: [Int16] = []
        var names: [Name] = []

        mutating func add(_ names: [Name], of request: Request, _ place: Int) {
            for (target, name) in names.enumerated() {
                requests.append(Int32(place))
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
