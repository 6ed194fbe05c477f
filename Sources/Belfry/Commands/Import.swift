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
        abstract: "Import a file of devices through the API, with a progress bar.",
        discussion: """
            The file is CSV whose first line names the columns, or NDJSON: one JSON object a line. Columns and members \
            are those of a device registration, and "installation"; "attr.plan" and "attr.visits:number" are attributes \
            of their own. Importing a file again does no harm.

            Example:

              BELFRY_API_KEY=bfs_… belfry import devices.csv --app 1

            It exits with 0 when every line was stored, and with 1 when lines were refused or it had to stop.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, ndjson

        var contentType: String { self == .csv ? "text/csv" : "application/x-ndjson" }

        /// By the name's ending.
        init?(of file: String) {
            switch URL(filePath: file).pathExtension.lowercased() {
            case "csv": self = .csv
            case "ndjson", "jsonl": self = .ndjson
            default: return nil
            }
        }
    }

    @Argument(help: "The file: .csv, .ndjson or .jsonl.")
    var file: String

    @Option(help: "The app's number.")
    var app: String

    @Option(help: "Where Belfry is.")
    var url = "http://127.0.0.1:8080"

    @Option(
        help:
            "A secret API key with the scope devices:write. Everyone on this machine can read it here. [BELFRY_API_KEY]"
    )
    var key: String?

    @Option(help: "File with that key.")
    var keyFile: String?

    @Option(help: "csv or ndjson, where the file's name does not say it.")
    var format: Format?

    @Option(help: "Certificate authority to believe (PEM), for https.")
    var caFile: String?

    @Option(help: "Where the whole report goes as JSON.")
    var report: String?

    /// Refused lines that are printed.
    private static let shownRefusals = 20

    func run() async throws {
        guard AppID(app) != nil else { throw ValidationError("--app is an app's number, like 1.") }
        guard let format = format ?? Format(of: file) else {
            throw ValidationError("The file's name does not say how it is written: --format csv or ndjson.")
        }
        let key = try APIKeyArgument.read(key, file: keyFile)
        let source = try FileSource(file, progress: ProgressOutput())
        let loop = try EventLoop(name: "import")
        defer { loop.stop() }
        let started = MonotonicTime.now()
        let (address, path) = (url, "/v1/apps/\(app)/devices/import")
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
        if answer["refused"]?.int != 0 { throw ExitCode.failure }
    }

    /// What a person wants to know of the report.
    static func summary(of report: JSON, after duration: Duration) -> String {
        let (stored, refused) = (report["stored"]?.int ?? 0, report["refused"]?.int ?? 0)
        let rate = Int(Double(stored + refused) / max(duration.seconds, 0.001))
        var lines = [
            "\((stored + refused).grouped) lines in \(Int(duration.seconds.rounded())) s (\(rate.grouped)/s)",
            "  stored   \(stored.grouped)", "  refused  \(refused.grouped)",
        ]
        for refusal in report["refusals"]?.elements.prefix(shownRefusals) ?? [] {
            let problems = refusal["problems"]?.elements.map { problem in
                [problem["path"]?.text, problem["message"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
            lines.append("    line \(refusal["line"]?.int ?? 0): \(problems?.joined(separator: "; ") ?? "")")
        }
        if refused > shownRefusals {
            lines.append("    … and \((refused - shownRefusals).grouped) more; --report FILE keeps the report")
        }
        if case .object(let warnings)? = report["warnings"], !warnings.isEmpty {
            lines.append("  taken otherwise than given:")
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
