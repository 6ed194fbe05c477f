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
            The file is CSV with a header line, or NDJSON with one JSON object per line. Columns and members are those \
            of a device registration, and "installation"; in CSV, columns such as "attr.plan" and "attr.visits:number" \
            set single attributes. A file can be imported again safely.

            Example:

              BELFRY_API_KEY=bfs_… belfry import devices.csv --app 1

            The exit status is 0 if every line was stored, and 1 if lines failed or the import stopped.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, ndjson

        var contentType: String { self == .csv ? "text/csv" : "application/x-ndjson" }

        /// From the extension of the file's name.
        init?(of file: String) {
            switch URL(filePath: file).pathExtension.lowercased() {
            case "csv": self = .csv
            case "ndjson", "jsonl": self = .ndjson
            default: return nil
            }
        }
    }

    @Argument(help: "File to import: .csv, .ndjson or .jsonl.")
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

    @Option(help: "Format of the file, csv or ndjson; required if its extension is another one.")
    var format: Format?

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

    private var query: String {
        var parts: [String] = []
        if let asOf { parts.append("as_of=\(asOf.replacing("+", with: "%2B"))") }
        if replaceOptOuts { parts.append("replace_opt_outs=true") }
        if overwriteNewer { parts.append("overwrite_newer=true") }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// At most this many failed lines are printed.
    private static let maximumPrintedFailures = 20

    func run() async throws {
        guard AppID(app) != nil else { throw ValidationError("--app must be the number of an app, such as 1.") }
        guard let format = format ?? Format(of: file) else {
            throw ValidationError("The format of \(file) is unknown; add --format csv or --format ndjson.")
        }
        let key = try APIKeyArgument.read(key, file: keyFile)
        let source = try FileSource(file, progress: ProgressOutput())
        let loop = try EventLoop(name: "import")
        defer { loop.stop() }
        let started = MonotonicTime.now()
        let (address, path) = (url, "/v1/apps/\(app)/devices/import" + query)
        let trust: TLSContext.Trust = caFile.map { .file($0) } ?? .systemRoots
        let answer: JSON
        do {
            answer = try await withTaskExecutorPreference(loop) {
                let client = try APIClient(url: address, trust: trust, key: key, on: loop)
                do {
                    let answer = try await client.upload(
                        path, type: format.contentType, length: source.size
                    ) { try source.next() }
                    await client.close()
                    return answer
                } catch {
                    await client.close()
                    throw error
                }
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

    /// The report as text: the counts, the first failures and the warnings.
    static func summary(of report: JSON, after duration: Duration) -> String {
        let (stored, failed) = (report["stored"]?.int ?? 0, report["failed"]?.int ?? 0)
        let rate = Int(Double(stored + failed) / max(duration.seconds, 0.001))
        var lines = [
            "\((stored + failed).grouped) lines in \(Int(duration.seconds.rounded())) s (\(rate.grouped)/s)",
            "  stored   \(stored.grouped)", "  failed   \(failed.grouped)",
        ]
        let counts = [
            ("newer", "devices are newer than the file, and were left as they are; --overwrite-newer changes them"),
            ("opt_outs_kept", "opt-outs were kept that the file does not have; --replace-opt-outs removes them"),
            ("opt_outs_removed", "opt-outs were removed"),
        ]
        for (name, meaning) in counts {
            if let count = report[name]?.int, count > 0 { lines.append("  \(count.grouped) \(meaning)") }
        }
        for failure in report["failures"]?.elements.prefix(maximumPrintedFailures) ?? [] {
            let problems = failure["problems"]?.elements.map { problem in
                [problem["path"]?.text, problem["message"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
            lines.append("    line \(failure["line"]?.int ?? 0): \(problems?.joined(separator: "; ") ?? "")")
        }
        if failed > maximumPrintedFailures {
            let rest = (failed - maximumPrintedFailures).grouped
            lines.append("    … and \(rest) more; use --report FILE to save the whole report")
        }
        if case .object(let warnings)? = report["warnings"], !warnings.isEmpty {
            lines.append("  stored with changes:")
            for warning in warnings { lines.append("    \(warning.key): \((warning.value.int ?? 0).grouped)") }
        }
        return lines.joined(separator: "\n")
    }
}

extension Int {
    /// 1234567 as 1,234,567.
    var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}
