import ArgumentParser
import Campaigns
import EventLoop
import Foundation
import HTTPTypes
import JSON
import Notifications
import TLS

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import devices from a file through the API, with a progress bar.",
        discussion: """
            The file is CSV with a header line, or JSON: one object per line, or a list of objects. It may be \
            compressed with gzip. Columns and members are those of a device registration, and "installation"; \
            "attr.plan" and "attr.visits:number" set single attributes. The format, commas, semicolons, tabs, UTF-8 and \
            UTF-16 are recognised by the content, and so are exports of OneSignal and Airship. A file can be imported \
            again safely.

            Example:

              BELFRY_API_KEY=bfs_… belfry import devices.csv --app 1
              belfry import list.csv --app 1 --environment production --columns "token,,attr.city"

            The exit status is 0 if every line was stored, and 1 if lines failed or the import stopped.
            """)

    @Argument(help: "File to import.")
    var file: String

    @Option(help: "Number of the app.")
    var app: String

    @Option(help: "URL of Belfry.")
    var url = "http://127.0.0.1:8080"

    @Option(
        help:
            "Secret API key with the scope devices:write. Other users of this machine can see it. [BELFRY_API_KEY]"
    )
    var key: String?

    @Option(help: "File that contains the API key.")
    var keyFile: String?

    @Option(help: "Environment of the tokens whose line names none: production or development.")
    var environment: String?

    @Option(
        help:
            "Header line that replaces the file's, such as token,,attr.city; an empty name leaves a column out. For JSON, pairs such as push_token=token,city=attr.city."
    )
    var columns: String?

    @Option(
        help:
            "Encoding of the file. UTF-8 and UTF-16 are recognised; name others, such as gb18030, shift_jis or windows-1252."
    )
    var encoding: String?

    @Option(help: "CA certificate to trust for that URL (PEM file).")
    var caFile: String?

    @Option(
        help:
            "When the file was made: a time like 2026-11-21T10:00:00Z, or now. Devices that changed later are left alone."
    )
    var asOf: String?

    @Flag(help: "Remove opt-outs that the file does not have. Otherwise an import only adds opt-outs.")
    var replaceOptOuts = false

    @Flag(help: "Change devices that are newer than the file, too, and bring deleted ones back.")
    var overwriteNewer = false

    @Option(help: "File to write the whole report to, as JSON.")
    var report: String?

    /// The server recognises the format by the content.
    private static let contentType = "application/octet-stream"

    /// The time between two questions about the progress.
    private static let askingInterval = Duration.milliseconds(250)

    private func query(name: String) -> String {
        let values = [
            ("import", name), ("environment", environment), ("columns", columns), ("encoding", encoding),
            ("as_of", asOf), ("replace_opt_outs", replaceOptOuts ? "true" : nil),
            ("overwrite_newer", overwriteNewer ? "true" : nil),
        ]
        var query = URLComponents()
        query.queryItems = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        // A plus sign in a query is a space.
        return "?" + (query.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    }

    /// At most this many lines with problems are printed, of those that failed and of those that were changed.
    private static let maximumPrintedLines = 20

    func run() async throws {
        guard AppID(app) != nil else { throw ValidationError("--app must be the number of an app, such as 1.") }
        let key = try APIKeyArgument.read(key, file: keyFile)
        let source = try FileSource(file, progress: ProgressOutput())
        let loop = try EventLoop(name: "import")
        defer { loop.stop() }
        let started = MonotonicTime.now()
        let name = UUID().uuidString
        let route = "/v1/apps/\(app)/devices/import"
        let (address, path) = (url, route + query(name: name))
        let trust: TLSContext.Trust = caFile.map { .file($0) } ?? .systemRoots
        let answer: JSON
        do {
            answer = try await withTaskExecutorPreference(loop) {
                let client = try APIClient(url: address, trust: trust, key: key, on: loop)
                let watcher = try APIClient(url: address, trust: trust, key: key, on: loop)
                let result = await Self.result { () async throws -> JSON in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await Self.watch("\(route)/\(name)/progress", watcher, source, on: loop) }
                        defer { group.cancelAll() }
                        return try await client.upload(
                            path, type: Self.contentType, length: source.size
                        ) { try source.next() }
                    }
                }
                await client.close()
                await watcher.close()
                return try result.get()
            }
        } catch {
            source.endProgress()
            throw error
        }
        source.endProgress()
        if let report { try TextFile.write(String(decoding: answer.encoded(), as: UTF8.self) + "\n", to: report) }
        print(Self.summary(of: answer, after: .now() - started))
        if answer["failed"]?.int != 0 { throw ExitCode.failure }
    }

    private static func result<Value>(of work: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    /// Shows the progress until it is cancelled. A server that does not know the import, because another of its
    /// processes runs it, leaves the bytes that were sent.
    private static func watch(
        _ path: String, _ client: APIClient, _ source: FileSource, on loop: EventLoop
    ) async throws {
        while !Task.isCancelled {
            try await loop.sleep(for: askingInterval)
            let answer = try await client.send(.get, path)
            guard answer["is_running"]?.bool == true else { continue }
            source.show(
                ImportProgress.Received(
                    bytes: answer["bytes_read"]?.int ?? 0, stored: answer["stored"]?.int ?? 0,
                    failed: answer["failed"]?.int ?? 0))
        }
    }

    /// The report as text: the counts, the first failures and the warnings.
    static func summary(of report: JSON, after duration: Duration) -> String {
        let (stored, failed) = (report["stored"]?.int ?? 0, report["failed"]?.int ?? 0)
        let count = report["lines"]?.int ?? stored + failed
        let rate = Int(Double(count) / max(duration.seconds, 0.001))
        var lines = [
            "\(count.grouped) \(count == 1 ? "line" : "lines") in \(Int(duration.seconds.rounded())) s (\(rate.grouped)/s)",
            "  stored   \(stored.grouped)", "  failed   \(failed.grouped)",
        ]
        // The number comes last, so that one and many need no other words.
        let counts = [
            (
                "newer", "newer than the file, left as they are",
                ". Say with --as-of when the file was made, or change them with --overwrite-newer."
            ),
            ("erased", "erased after the file was made, left out", ". --overwrite-newer stores them."),
            ("opted_out", "opted out of all campaigns", ""),
            ("opt_outs_kept", "opt-outs kept that the file does not have", ". --replace-opt-outs removes them."),
            ("opt_outs_removed", "opt-outs removed", ""),
        ]
        for (name, meaning, advice) in counts {
            if let count = report[name]?.int, count > 0 { lines.append("  \(meaning): \(count.grouped)\(advice)") }
        }
        lines += listed(report["failures"], of: failed)
        if let leftOut = report["left_out"]?.int, leftOut > 0 {
            lines.append("  left out \(leftOut.grouped), because the devices are not Apple's")
        }
        if case .object(let warnings)? = report["warnings"], !warnings.isEmpty {
            lines.append("  stored with changes:")
            for warning in warnings { lines.append("    \(warning.key): \((warning.value.int ?? 0).grouped)") }
            lines += listed(report["changes"], of: report["changes"]?.elements.count ?? 0)
        }
        let columns = report["file"]?["columns_left_out"]?.elements.compactMap(\.text) ?? []
        if !columns.isEmpty { lines.append("  columns left out: \(columns.joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }

    /// The first lines of a list of problems.
    private static func listed(_ entries: JSON?, of count: Int) -> [String] {
        var lines = (entries?.elements.prefix(maximumPrintedLines) ?? []).map { entry in
            let problems = entry["problems"]?.elements.map { problem in
                [problem["path"]?.text, problem["message"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
            return "    line \(entry["line"]?.int ?? 0): \(problems?.joined(separator: "; ") ?? "")"
        }
        if count > maximumPrintedLines {
            let rest = (count - maximumPrintedLines).grouped
            lines.append("    … and \(rest) more; use --report FILE to save the whole report")
        }
        return lines
    }
}
