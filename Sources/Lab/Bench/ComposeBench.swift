import Belfry
import Campaigns
import EventLoop
import JSON
import Notifications

/// Measures composition alone: a personalised template in three languages, and one without placeholders, with values in
/// PostgreSQL's binary format. It runs on one thread with a reused buffer, like the sender of a batch.
struct ComposeBench {
    static let pushes = 1_000_000
    static let rounds = 3
    static let people = 1_000
    /// Apple's payload limit in bytes.
    static let buffer = 4_096

    func run(into report: inout BenchReport) async throws {
        let personal = try await cost(Self.template)
        let constant = try await cost(
            TemplateContent(payload: ["aps": ["alert": ["title": "Evening bells", "body": "Tonight at eight."]]]))
        report.add("composition.cpu_us_per_push", personal, "µs")
        report.add("composition.cpu_us_without_placeholders", constant, "µs")
        report.note(
            "one thread, medians of \(Self.rounds); three locales, five placeholders with filters, two conditions")
    }

    /// Microseconds of processor time per push.
    private func cost(_ template: TemplateContent) async throws -> Double {
        let content = try CompiledContent(template, in: ContentContext())
        let loop = try EventLoop(name: "composer")
        defer { loop.stop() }
        var costs: [Double] = []
        for _ in 0..<Self.rounds {
            let used = try await withTaskExecutorPreference(loop) { try Self.compose(content, on: loop) }
            costs.append(used.seconds / Double(Self.pushes) * 1e6)
        }
        return costs.median
    }

    private static func compose(_ content: CompiledContent, on loop: EventLoop) throws -> Duration {
        let composer = ContentComposer(content, now: 1_772_389_805)
        let rows = PeopleRows(content.needs)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.buffer, alignment: 16)
        defer { buffer.deallocate() }
        let began = loop.processorTime()
        try Array(MessageID(messageNumber: 1, device: 2, tag: 3).text.utf8).withUnsafeBytes { id in
            for push in 0..<pushes {
                let person = push % people
                let outcome = composer.compose(values: { rows.value($0, of: person) }, id: id, into: buffer)
                guard case .written = outcome else { throw CommandFailure("can't compose a payload: \(outcome)") }
            }
        }
        return loop.processorTime() - began
    }

    private static let template = TemplateContent(
        payload: payload(
            "Hi {{ first_name | default: 'there' }}!", "Tonight in {{ city | upcase }}", "until", "points"),
        variants: [
            TemplateContent.Variant(
                locale: "de",
                payload: payload(
                    "Hallo {{ first_name | default: 'du' }}!", "Heute in {{ city | upcase }}", "bis", "Punkte")),
            TemplateContent.Variant(
                locale: "ja",
                payload: payload("{{ first_name | default: 'お客' }}さん、こんにちは", "今夜 {{ city | upcase }}", "まで", "ポイント")),
        ])

    private static func payload(_ title: String, _ place: String, _ until: String, _ points: String) -> JSON {
        [
            "aps": [
                "alert": [
                    "title": .string(title),
                    "body": .string(
                        "\(place){% if plan == 'pro' and points > 100 %}, \(until) {{ ends | date: '%H:%M' }}{% endif %}. "
                            + "{{ points | number }} \(points)."),
                ], "sound": "default", "thread-id": "evening",
            ],
            "link": "https://example.com/evening?u={{ user_id }}",
        ]
    }
}

/// The recipients' columns in contiguous memory, as in a response of PostgreSQL.
private final class PeopleRows {
    private let count: Int
    private let cells: UnsafeMutablePointer<UnsafeRawBufferPointer?>
    private let memory: UnsafeMutableRawBufferPointer

    private static let names = ["Anna", "Maximilian", "Zoë", "葉子", "Jean-Baptiste", "O\"Neill"]
    private static let cities = ["Ulm", "São Paulo", "東京", "New York"]
    private static let locales = ["en_US", "de-DE", "ja_JP", "fr-FR", "de_AT"]
    private static let zones = ["Europe/Berlin", "Asia/Tokyo", "America/New_York"]

    init(_ needs: [Field]) {
        let columns = (0..<ComposeBench.people).flatMap { person in needs.map { Self.column($0, person) } }
        memory = .allocate(byteCount: columns.reduce(0) { $0 + ($1?.count ?? 0) } + 1, alignment: 8)
        cells = .allocate(capacity: columns.count)
        count = needs.count
        var start = 0
        for (index, column) in columns.enumerated() {
            guard let column else {
                cells.advanced(by: index).initialize(to: nil)
                continue
            }
            let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + column.count])
            bytes.copyBytes(from: column)
            cells.advanced(by: index).initialize(to: UnsafeRawBufferPointer(bytes))
            start += column.count
        }
    }

    deinit {
        cells.deallocate()
        memory.deallocate()
    }

    @inline(__always)
    func value(_ index: Int, of person: Int) -> UnsafeRawBufferPointer? { cells[person &* count &+ index] }

    private static func column(_ field: Field, _ person: Int) -> [UInt8]? {
        switch field {
        case .device(.locale): Array(locales[person % locales.count].utf8)
        case .device(.timeZone): Array(zones[person % zones.count].utf8)
        case .device: Array("user-\(person)".utf8)
        // The binary form of jsonb: its version, and JSON.
        case .attribute(let path): attribute(path[0], person).map { [1] + $0.encoded() }
        }
    }

    private static func attribute(_ name: String, _ person: Int) -> JSON? {
        switch name {
        case "first_name": person % 10 == 0 ? nil : .string(names[person % names.count])
        case "city": .string(cities[person % cities.count])
        case "plan": person % 3 == 0 ? "pro" : "free"
        case "ends": .string("2026-\(person % 2 == 0 ? "03" : "07")-01T20:\(10 + person % 50):00Z")
        default: .number(JSON.Number(person * 7))
        }
    }
}
