/// A right that a caller has in one app or in all of them. A role gives several to a person; the scopes of a secret API
/// key are permissions too. The raw value is the database's and the API's.
public enum Permission: String, CaseIterable, Hashable, Sendable {
    case appsRead = "apps:read"
    case appsWrite = "apps:write"
    /// Delete an app with everything that belongs to it.
    case appsDelete = "apps:delete"
    case devicesRead = "devices:read"
    case devicesWrite = "devices:write"
    /// Take devices and people away as a file: apart from reading, because a file leaves the server's protection.
    case devicesExport = "devices:export"
    /// See device tokens whole, in an export: somebody who has one and a signing key can push.
    case devicesTokens = "devices:tokens"
    case campaignsRead = "campaigns:read"
    case campaignsWrite = "campaigns:write"
    /// Schedule, start, pause, resume and cancel: apart from writing, so that a draft can be prepared by one
    /// and sent by another.
    case campaignsSend = "campaigns:send"
    /// Approve and reject campaigns of others, where an app requires it.
    case campaignsApprove = "campaigns:approve"
    /// Categories, local plans and media.
    case contentRead = "content:read"
    case contentWrite = "content:write"
    /// Send test pushes: to test devices, and to a token that one pastes.
    case testPushesSend = "test-pushes:send"
    /// Send transactional pushes to any device of the app, and see what became of them.
    case pushesSend = "pushes:send"
    /// Make, list and revoke API keys.
    case keys
    /// Add people who can sign in, give them roles, and disable them.
    case users
    /// Read the audit log and, of all apps, the status of the server.
    case auditRead = "audit:read"
}
