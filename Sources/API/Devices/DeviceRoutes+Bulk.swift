import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

extension DeviceRoutes {
    /// Registers many devices in one request, for servers. Each device is stored or refused independently.
    func addBulk(to routes: inout Routes) {
        routes.addForApp(
            .post, "/devices", for: .permission(.devicesWrite), bodyLimit: BulkBody.maximumSize, audit: .people
        ) { call in
            try ObjectReader.checkContentType(call.request)
            let bytes = try await call.request.body.collect()
            let items = try ByteReader.checking {
                () throws(ByteReader.Malformed) in
                try BulkBody.read(bytes)
            }.items
            return try await answer(items, app: call.app)
        }
    }

    private func answer(_ items: [BulkBody.Item], app: App.ID) async throws -> Response {
        let good = items.filter(\.problems.isEmpty)
        let registrations = good.compactMap { $0.registration(app: app) }
        var outcomes = try await self.registrations.answers(to: registrations)[...]
        let unknown = try await topics.unknown(among: Set(good.flatMap(\.body.optOutTopics)), of: app)
        var stored = 0
        var results: [UInt8] = []
        for (index, item) in items.enumerated() {
            results.append(UInt8(ascii: index == 0 ? "[" : ","))
            var result = JSONObjectWriter(behind: results)
            result.raw("index", String(index).utf8)
            if !item.problems.isEmpty {
                result.raw("problems", JSON.array(item.problems.map(\.json)).encoded())
            } else {
                switch outcomes.popFirst() {
                case .success(.stored(let device))?:
                    stored += 1
                    var body = item.body
                    body.warn(ofUnknownTopics: unknown)
                    body.write(device, body.address(of: body.installation ?? ""), to: &result)
                case .failure(let failure)?: result.raw("problems", JSON.array([failure.problem.json]).encoded())
                case .success(.refused(let refusal))?:
                    result.raw("problems", JSON.array([refusal.problem.json]).encoded())
                case .success?, nil: result.raw("problems", JSON.array([Self.refusedByDatabase.json]).encoded())
                }
            }
            results = result.finish()
        }
        results.append(UInt8(ascii: "]"))
        var answer = JSONObjectWriter()
        answer.raw("stored", String(stored).utf8)
        answer.raw("failed", String(items.count - stored).utf8)
        answer.raw("results", results)
        return .json(answer.finish())
    }

    /// Not expected: values that the database can't store are refused earlier.
    static let refusedByDatabase = Problem(
        path: "", code: "storage-failed", message: "was not stored, because the database refused it")
}

extension RefusedRequest {
    var problem: Problem {
        (reason as? Refusal)?.problem ?? DeviceRoutes.refusedByDatabase
    }
}

extension Refusal {
    /// The refusal of one of several devices.
    var problem: Problem { Problem(path: field ?? "", code: code, message: message) }
}

/// The body of a bulk registration: a list of devices, each with its problems.
struct BulkBody {
    static let maximumCount = 1_000
    /// In bytes: room for 1,000 devices with many attributes.
    static let maximumSize = 4 * 1024 * 1024

    struct Item {
        let body: RegistrationBody
        let problems: [Problem]

        /// Nil if there are problems.
        func registration(app: App.ID) -> Registration? {
            guard problems.isEmpty, let installation = body.installation else { return nil }
            return Registration(
                .register, app: app, address: body.address(of: installation), changes: body.changes,
                person: body.person, sentAt: body.sentAt)
        }
    }

    private(set) var items: [Item] = []

    /// `problems` are those of the body as a whole.
    static func read(
        _ bytes: [UInt8]
    ) throws(ByteReader.Malformed) -> (body: BulkBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes, isolating: true) { reader throws(ByteReader.Malformed) in
            var body = BulkBody()
            try body.read(&reader)
            return body
        }
        return (read.value, read.problems)
    }

    private mutating func read(
        _ reader: inout ByteReader
    ) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else { return try reader.wrongType("", "an object") }
        var hasDevices = false
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard key == "devices" else { return try reader.unknownMember(key) }
            guard !hasDevices else { throw reader.repeated(key) }
            hasDevices = true
            try self.readItems(&reader)
        }
        if !hasDevices { reader.refuse("devices", "missing", "is required") }
    }

    private mutating func readItems(
        _ reader: inout ByteReader
    ) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "[") else { return try reader.wrongType("devices", "a list") }
        var form = RegistrationBody.Form.register
        form.namesInstallation = true
        form.isTrusted = true
        var count = 0
        try reader.elements { reader throws(ByteReader.Malformed) in
            count += 1
            guard count <= Self.maximumCount else {
                try reader.skip()
                return
            }
            let whole = reader.problems
            reader.problems = []
            var body = RegistrationBody.unread
            let fault = try reader.isolated(marks: Self.marks) { reader throws(ByteReader.Malformed) in
                body = try RegistrationBody(&reader, form)
            }
            if let fault { reader.problems = [Self.problem(fault)] }
            items.append(Item(body: body, problems: reader.problems))
            reader.problems = whole
        }
        if count > Self.maximumCount {
            reader.refuse("devices", "too-many", "must contain at most \(Self.maximumCount), not \(count)")
        }
        if count == 0 { reader.refuse("devices", "empty", "must contain at least one device") }
    }

    /// Members that devices have.
    private static let marks: Set<String> = ["installation", "token"]

    private static func problem(_ fault: ByteReader.Malformed) -> Problem {
        Problem(path: "", code: "invalid-json", message: "is not JSON: \(fault.message)")
    }
}
