import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// The responses to requests for transactional pushes.
enum PushResponses {
    /// The pushes that would be sent; nothing was stored.
    static func dryRun(_ prepared: PushPreparation.Prepared, _ names: InstallationNames) -> Response {
        .json([
            "id": .null, "dry_run": true,
            "devices": .array(
                prepared.recipients.map { recipient in
                    device(
                        recipient.target, names.shown(recipient.device), id: nil, recipient.content.code,
                        [
                            JSON.Member("environment", .string(recipient.device.environment.name)),
                            JSON.Member("payload_bytes", recipient.payloadSize.map { .count($0) } ?? .null),
                        ])
                }),
            "unmatched_targets": withoutDevice(
                Set(prepared.recipients.map(\.target) + prepared.skipped), of: prepared.targets),
            "skipped_targets": .array(prepared.skipped.map { .count($0) }),
            "problems": .array(prepared.problems.map(\.json)),
        ])
    }

    /// None of the targets has a device. That is not an error, because people uninstall apps.
    static func nobody(_ targets: Int) -> Response {
        .json(["id": .null, "devices": [], "unmatched_targets": withoutDevice([], of: targets), "skipped_targets": []])
    }

    /// `installations` are by device; a missing one was deleted in the meantime.
    static func accepted(
        _ receipt: PushReceipt, of targets: Int, _ installations: [Device.ID: String], _ names: InstallationNames
    ) -> Response {
        .json(
            [
                "id": .string(receipt.id.text),
                "devices": .array(
                    receipt.entries.map { entry in
                        let id = Device.ID(rawValue: entry.id.device)
                        return device(
                            entry.target, names.name(installations[id], of: id), id: entry.id, entry.code)
                    }),
                "unmatched_targets": withoutDevice(
                    Set(receipt.entries.map(\.target) + receipt.skippedTargets), of: targets),
                "skipped_targets": .array(receipt.skippedTargets.map { .count($0) }),
            ], status: .accepted)
    }

    private static func device(
        _ target: Int, _ installation: String?, id: MessageID?, _ code: UInt8, _ more: [JSON.Member] = []
    ) -> JSON {
        let reason = OutcomeCode.suppressionReason(code)
        return .object(
            [
                JSON.Member("target_index", .count(target)), JSON.Member("installation", .text(installation)),
                JSON.Member("message_id", .text(id?.text)),
                JSON.Member("outcome", reason == nil ? "pending" : "suppressed"), JSON.Member("reason", .text(reason)),
            ] + more)
    }

    private static func withoutDevice(_ found: Set<Int>, of targets: Int) -> JSON {
        .array((0..<targets).filter { !found.contains($0) }.map { .count($0) })
    }

    /// The outcomes of pushes. `id` is the requested one.
    static func report(
        _ id: String, _ pushes: [(push: SentPush, id: MessageID)], _ names: InstallationNames
    ) -> Response {
        .json(["id": .string(id), "devices": .array(pushes.map { $0.push.json($0.id, names) })], version: 1)
    }
}

extension PushRequest.Content {
    fileprivate var code: UInt8 {
        switch self {
        case .push: OutcomeCode.pending
        case .suppressed(let code): code
        }
    }
}

extension SentPush {
    fileprivate func json(_ id: MessageID, _ names: InstallationNames) -> JSON {
        [
            "message_id": .string(id.text), "installation": .text(names.name(installation, of: device)),
            "user_id": .text(userID),
            "environment": .string(environment.name),
            "outcome": .string(outcome.kind.rawValue),
            "reason": outcome.reason.isEmpty ? .null : .string(outcome.reason), "created_at": .time(createdAt),
            "finished_at": .time(endedAt), "delivered_at": .time(deliveredAt), "opened_at": .time(openedAt),
        ]
    }
}

extension InstallationNames {
    fileprivate func shown(_ device: AddressedDevice) -> String { name(device.installation, of: device.id) }
}
