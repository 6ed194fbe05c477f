import ArgumentParser
import Configuration

/// The limits of the web server as command-line options. The help of each names its environment variable.
struct ServerOptions: ParsableArguments {
    @Option(
        help: """
            Maximum number of connections. [BELFRY_MAX_CONNECTIONS; default: what the limit on open files allows, at \
            most 65,280]
            """)
    var maxConnections: Int?

    /// Flags take precedence over the environment, and the environment over the file.
    func apply(to settings: inout Settings, _ reader: ConfigReader, _ descriptors: DescriptorBudget) throws {
        let wanted = maxConnections ?? reader.int(forKey: "belfry.max.connections")
        if let wanted, wanted < 1 { throw ValidationError("--max-connections must be 1 or more.") }
        settings.maximumConnections = try descriptors.connections(wanted: wanted)
    }
}
