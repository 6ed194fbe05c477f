import ArgumentParser
import Configuration
import EventLoop

/// The address for devices alone as command-line options.
struct DevicesOptions: ParsableArguments {
    @Option(
        help: """
            Port of a second listener that has only what apps and their devices call: the routes of publishable keys, \
            media and /healthz. Then the other address can be closed to the internet. 0 for any free one, which is logged. \
            [BELFRY_DEVICES_PORT; default: none]
            """)
    var devicesPort: Int?

    @Option(help: "Address of that listener. [BELFRY_DEVICES_HOST; default 127.0.0.1]")
    var devicesHost: String?

    /// Nil without a port.
    func address(_ reader: ConfigReader) throws -> SocketAddress? {
        try OptionalAddress.checked(
            "devices", host: devicesHost ?? reader.string(forKey: "belfry.devices.host"),
            port: devicesPort ?? reader.int(forKey: "belfry.devices.port"))
    }
}
