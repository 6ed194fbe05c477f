import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import Store

/// How installations are named in answers and files for a caller, see `DeviceHandle`.
struct InstallationNames: Sendable {
    /// Whether the caller may change devices.
    let areShown: Bool

    /// Nil for a device that was erased.
    func name(_ installation: String?, of device: Device.ID) -> String? {
        installation.map { areShown ? $0 : DeviceHandle(device).text }
    }

    func name(_ installation: String, of device: Device.ID) -> String {
        areShown ? installation : DeviceHandle(device).text
    }
}

extension AppCall {
    var installationNames: InstallationNames {
        InstallationNames(areShown: caller.grants.permissions(in: app).contains(.devicesWrite))
    }

    /// The device that path and query name, or the handle in the path.
    func device(in devices: DeviceStore) async throws -> DeviceRecord {
        var handle: DeviceHandle?
        // Numbers can be guessed: a publishable key must know the installation.
        if !caller.isPublishable { handle = request.parameters["installation"].flatMap { DeviceHandle($0) } }
        let found =
            if let handle {
                try await devices.device(app: app, id: handle.device)
            } else {
                try await devices.device(app: app, deviceAddress)
            }
        guard let found else { throw Refusal.notFound(.device) }
        return found
    }
}
