import Campaigns
public import Experiments
import Postgres

/// The hours of a run at the best time of each recipient.
public struct BestTimeRules: Sendable {
    public let time: BestTime
    /// Whether the hours of devices differ from the usual one: not before the past has shown that people differ.
    let isPersonal: Bool
}

/// The best hours of some devices: those that have opened pushes.
struct BestHours: Sendable {
    let devices: [Int64]
    /// The places of their hours in the window.
    let places: [Int32]

    static let none = BestHours(devices: [], places: [])

    private init(devices: [Int64], places: [Int32]) {
        (self.devices, self.places) = (devices, places)
    }

    /// Of the devices with ids.
    init(of rules: PlanRules, in ids: IDRange, on connection: PostgresConnection) async throws {
        guard let best = rules.bestTime, best.isPersonal else {
            self = .none
            return
        }
        let rows = try await connection.query(
            """
            SELECT first_id, people FROM response_hours
            WHERE app_id = \(rules.app) AND last_id > \(ids.after) AND first_id <= \(ids.through)
            ORDER BY first_id
            """)
        self = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try Self.chosen(rows, best.time)
        }
    }

    private static func chosen(_ rows: PostgresRows, _ time: BestTime) throws -> BestHours {
        var (devices, places) = ([Int64](), [Int32]())
        for row in rows {
            let people = try ResponsesOfPeople(bytes: try row[1, as: [UInt8].self], firstID: try row[0])
            for (device, person) in people.byDevice {
                devices.append(device)
                places.append(Int32(time.place(for: person)))
            }
        }
        return BestHours(devices: devices, places: places)
    }
}
