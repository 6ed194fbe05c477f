import API
import Application
import ArgumentParser
import EventLoop
import Foundation
import JSON

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the running processes, the work that waits, and what needs a person.",
        discussion: """
            Reads the database of the settings and changes nothing. Processes that have ended are shown for an hour, lost \
            ones for a day. Work is called stuck when nobody has done it for two minutes.

            Exit status:
              0  all is well
              1  something needs a person: a lost process, none at all, stuck work, a run that Belfry has paused
              2  it is not known: the database does not answer, or has another schema
            """)

    /// The exit status.
    enum Verdict: Int32 {
        case fine = 0
        case needsAttention, unknown
    }

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print the same as JSON, as GET /v1/status has it.")
    var json = false

    func run() async throws {
        let settings = try await options.load()
        let loop = try EventLoop(name: "command")
        let answer = await withTaskExecutorPreference(loop) { await StatusReading(settings: settings).read(on: loop) }
        loop.stop()
        let verdict: Verdict
        switch answer {
        case .success(let status):
            print(json ? Self.text(status.json) : "\(StatusText(status))")
            verdict = status.needsAttention ? .needsAttention : .fine
        case .failure(let reason):
            if json {
                print(Self.text(["status": "unknown", "message": .string(reason.description)]))
            } else {
                try FileHandle.standardError.write(contentsOf: Data("Error: \(reason)\n".utf8))
            }
            verdict = .unknown
        }
        if verdict != .fine { throw ExitCode(verdict.rawValue) }
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }
}
