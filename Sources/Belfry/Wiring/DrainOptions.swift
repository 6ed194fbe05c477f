import ArgumentParser
import Configuration

/// The drain time as a command-line option.
struct DrainOptions: ParsableArguments {
    /// Longer than a check of HAProxy or Kubernetes takes to fail twice.
    static let standard = 5
    private static let seconds = 0...3_600

    @Option(
        help: """
            Seconds for which the server still serves after SIGTERM, while /readyz answers 503 and connections end after \
            their next response, so that proxies lose no request; 0 to stop at once. [BELFRY_DRAIN_SECONDS; default 5]
            """)
    var drainSeconds: Int?

    func duration(_ reader: ConfigReader) throws -> Duration {
        let number = drainSeconds ?? reader.int(forKey: "belfry.drain.seconds") ?? Self.standard
        guard Self.seconds.contains(number) else {
            throw ValidationError(
                "--drain-seconds must be from \(Self.seconds.lowerBound) to \(Self.seconds.upperBound).")
        }
        return .seconds(number)
    }
}
