import API
import ArgumentParser
import Configuration
import EventLoop
import Foundation
import JSON
import Logging
import TLS

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that everything is in place: database, keys, APNs, certificate, files. Changes nothing.",
        discussion: """
            Takes the same flags, environment and file as "belfry serve": run it where serve runs, as the same account. \
            It asks Apple about each signing key with a push to a device that does not exist.

            Exit status: 0 if there is no error (there may be warnings), 1 if there is one, 2 if a setting is wrong, so \
            that nothing could be checked.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Management") var management: ManagementOptions
    @OptionGroup(title: "Limits") var limits: ServerOptions
    @OptionGroup(title: "Threads") var webLoops: WebLoopOptions
    @OptionGroup(title: "Threads") var sendLoops: SendLoopOptions

    @Flag(help: "Print the findings as JSON, for scripts.")
    var json = false

    func run() async throws {
        let loop = try EventLoop(name: "doctor")
        let doctor: Doctor
        do {
            doctor = try await makeDoctor(on: loop)
        } catch {
            FileHandle.standardError.write(Data("Error: \(Self.message(for: error))\n".utf8))
            throw ExitCode(2)
        }
        let findings = await withTaskExecutorPreference(loop) { await doctor.examine() }
        loop.stop()
        let report = DoctorReport(findings: findings)
        let isColoured = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        print(json ? String(decoding: report.json.encoded(), as: UTF8.self) : report.text(isColoured: isColoured))
        if report.hasErrors { throw ExitCode(1) }
    }

    /// Reads all settings as `serve` does.
    private func makeDoctor(on loop: EventLoop) async throws -> Doctor {
        let reader = try await options.reader()
        var settings = try options.load(reader)
        // How many files may be open is a check of its own.
        try limits.configure(&settings.server, reader, DescriptorBudget(descriptors: .max))
        _ = try limits.rateLimits(reader, otherwise: .standard)
        _ = try (webLoops.count(reader), sendLoops.count(reader), management.address(reader))
        settings.certificate = try tls.files(reader)
        try options.loadAPNS(&settings, reader)
        return Doctor(
            settings: settings, secretFiles: secretFiles(reader),
            wantedConnections: try limits.wantedConnections(reader),
            loop: loop, logger: Logger.make(level: .critical))
    }

    private func secretFiles(_ reader: ConfigReader) -> [(name: String, path: String)] {
        [
            ("database URL", "database.url.file"), ("direct URL", "database.direct.url.file"),
            ("admin password", "belfry.admin.password.file"),
        ].compactMap { name, key in reader.string(forKey: ConfigKey(stringLiteral: key)).map { (name, $0) } }
    }
}
