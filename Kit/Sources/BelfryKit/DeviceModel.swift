#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The model, like `iPhone16,1`; in the simulator, the name of the computer's architecture.
enum DeviceModel {
    static var identifier: String? {
        var system = utsname()
        guard uname(&system) == 0 else { return nil }
        return withUnsafeBytes(of: system.machine) { bytes in
            String(bytes: bytes.prefix { $0 != 0 }, encoding: .utf8)
        }
    }
}
