import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// Writes devices as a file that can be imported.
struct DeviceFileWriter: Sendable {
    private let columns: [DeviceColumn]
    private let names: InstallationNames
    let table: TableWriter

    /// Importing a file without tokens changes existing devices and adds none.
    init(
        _ format: FileFormat, _ names: InstallationNames = InstallationNames(areShown: true), withTokens: Bool,
        isExact: Bool = false
    ) {
        self.names = names
        columns = DeviceColumn.all.filter { withTokens || $0 != .text("token") }
        table = TableWriter(format, columns: columns.map(\.name), isSafe: !isExact)
    }

    func row(_ entry: DevicePage.Entry) -> [TableValue] { columns.map { entry.value(of: $0, names) } }
}

extension TableValue {
    fileprivate init(_ person: Profile?) {
        guard let person else {
            self = .absent
            return
        }
        var object = JSONObjectWriter()
        object.raw("attributes", person.attributes.bytes)
        object.raw("tags", JSON.texts(person.tags).encoded())
        object.raw("opt_outs", JSON.texts(person.optOuts).encoded())
        self = .json(object.finish())
    }
}

extension DevicePage.Entry {
    fileprivate func value(of column: DeviceColumn, _ names: InstallationNames) -> TableValue {
        switch column.name {
        case "installation": .text(names.name(device.address.installation, of: device.id))
        case "kind": .text(device.address.kind.name)
        case "activity": TableValue(device.address.activity.isEmpty ? nil : device.address.activity)
        case "token": TableValue(token?.hex)
        case "environment": .text(device.environment.name)
        case "authorization_status": .text(device.authorization.name)
        case "user_id": TableValue(device.userID)
        case "locale": TableValue(device.locale)
        case "time_zone": TableValue(device.timeZone)
        case "os_version": TableValue(device.osVersion)
        case "app_version": TableValue(device.appVersion)
        case "model": TableValue(device.model)
        case "settings": .json(device.settings.bytes)
        case "tags": TableValue(device.tags)
        case "opt_outs": TableValue(device.optOuts)
        case "attributes": .json(device.attributes.bytes)
        case "person": TableValue(device.person)
        case "is_test": .flag(device.isTest)
        case "nickname": TableValue(device.nickname)
        case "id": .text(device.id.description)
        case "created_at": .text(device.createdAt.rfc3339)
        case "updated_at": .text(device.updatedAt.rfc3339)
        case "last_seen_at": TableValue(device.lastSeenAt?.rfc3339)
        default: preconditionFailure("the column \(column.name) has no value")
        }
    }
}
