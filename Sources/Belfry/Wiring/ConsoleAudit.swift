import Administration
import Campaigns
import Glibc
import Store

extension AuditEntry.Actor {
    /// The account of the operating system under which a command runs.
    static var ofConsole: AuditEntry.Actor {
        var name = "uid \(getuid())"
        if let account = getpwuid(getuid()) { name = String(cString: account.pointee.pw_name) }
        return AuditEntry.Actor(.console, name: name)
    }
}

extension Stores {
    /// Records what a command has done.
    func recordOnConsole(_ action: String, _ resource: String, app: AppID? = nil) async throws {
        try await audit.add(AuditEntry(actor: .ofConsole, action: action, resource: resource, app: app))
    }
}
