import Campaigns
import JSON
import Notifications
import Store

extension SegmentRecord {
    var members: [JSON.Member] {
        members([
            JSON.Member("name", .string(value.name)), JSON.Member("audience", value.audience.json),
            JSON.Member("summary", .string(value.audience.summary)),
        ])
    }
}

extension SegmentUse {
    var json: JSON {
        switch user {
        case .segment(let id): ["type": "segment", "id": .id(id), "name": .string(name)]
        case .campaign(let id): ["type": "campaign", "id": .id(id), "name": .string(name)]
        }
    }
}

extension AudienceCount {
    /// Without `withSample`, nobody in the audience is named.
    func json(of audience: Audience, _ names: InstallationNames, withSample: Bool) -> JSON {
        [
            "matches": .count(matches), "reachable": .count(reachable), "is_exact": .bool(isExact),
            "margin_of_error": marginOfError.map { .count($0) } ?? .null, "devices_scanned": .count(devicesScanned),
            "summary": .string(audience.summary), "sample": .array(withSample ? sample.map { $0.json(names) } : []),
        ]
    }
}

extension AudienceSample {
    fileprivate func json(_ names: InstallationNames) -> JSON {
        [
            "device_id": .id(device), "installation": .string(names.name(installation, of: device)),
            "user_id": .text(userID),
            "nickname": .text(nickname), "locale": .text(locale), "app_version": .text(appVersion),
        ]
    }
}
