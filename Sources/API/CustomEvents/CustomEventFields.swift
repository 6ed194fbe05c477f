import Campaigns
import FoundationEssentials
import JSON
import Notifications
import Postgres
import Store

/// The members of one custom event as they were read. The first one that can't be used is the fault of the event.
struct CustomEventFields {
    struct Fault: Error {
        let member: String
        let code: String
        let message: Message
    }

    private var id: UUID?
    private var name: String?
    private var installation: String?
    private var user: String?
    private var time = EventTime.receipt
    private var millionths: Int64?
    private var properties: CustomEvent.Properties?
    private var fault: Fault?
    private var seen: Set<String> = []
    private var unknown: Set<String> = []

    mutating func read(_ reader: inout ByteReader, _ key: String) throws(ByteReader.Malformed) {
        guard seen.insert(key).inserted else { throw reader.repeated(key) }
        switch key {
        case "id":
            id = try reader.eventText().flatMap { UUID(uuidString: $0.text) }
            if id == nil { refuse(key, "invalid-id", "The id must be a UUID that the sender makes for each event.") }
        case "name":
            name = try reader.eventText().flatMap { Self.name($0.text, isStorable: $0.isStorable) }
            if name == nil { refuse(key, "invalid-name", "The name must be \(Self.wantedName).") }
        case "installation":
            guard let text = try Self.optional(&reader) else { return }
            installation = text.flatMap { DeviceAddress.isInstallation($0) ? $0 : nil }
            if installation == nil {
                refuse(key, "invalid-installation", "The installation must be the one that the device registered with.")
            }
        case "user_id":
            guard let text = try Self.optional(&reader) else { return }
            user = text.flatMap { RegistrationBody.problem(withUserID: $0) == nil ? $0 : nil }
            if user == nil {
                refuse(key, "invalid-user-id", "The user_id must be text of 1 to 200 bytes without control characters.")
            }
        case "at": time = try reader.eventTime()
        case "value":
            guard let value = try reader.millionths() else { return }
            millionths = value
            if value == nil { refuse(key, EventFields.valueFault.code, EventFields.valueFault.message) }
        case "properties":
            switch try reader.properties() {
            case .success(let read): properties = read
            case .failure(let fault): self.fault = self.fault ?? fault
            }
        default:
            unknown.insert(key)
            try reader.skipValue()
        }
    }

    private mutating func refuse(_ member: String, _ code: String, _ message: Message) {
        if fault == nil { fault = Fault(member: member, code: code, message: message) }
    }

    static let wantedName: Message =
        "text of 1 to \(CustomEvent.nameLengths.upperBound) bytes without control characters"

    /// Nil if it can't be the name of an event or of a property.
    static func name(_ text: String, isStorable: Bool) -> String? {
        let name = text.composed
        let isName = isStorable && CustomEvent.nameLengths ~= name.utf8.count && NameText.problem(name) == nil
        return isName ? name : nil
    }

    /// Nil for null, which is the same as no member; the inner nil: not a text that can be stored.
    private static func optional(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> String?? {
        if reader.peek() == UInt8(ascii: "n") {
            try reader.word("null")
            return .none
        }
        guard let (text, isStorable) = try reader.eventText(), isStorable else { return .some(nil) }
        return .some(text)
    }

    /// The event. Only servers may name users.
    func event(_ index: Int, mayNameUsers: Bool) throws(Fault) -> CustomEvent {
        if let fault { throw fault }
        guard let id else {
            throw Fault(member: "id", code: "missing", message: "An event needs an id, a UUID, so that it counts once.")
        }
        guard let name else {
            throw Fault(member: "name", code: "missing", message: "An event needs a name.")
        }
        let sender: CustomEvent.Sender
        switch (installation, user) {
        case (let installation?, nil): sender = .installation(installation)
        case (nil, let user?) where mayNameUsers: sender = .user(user)
        case (nil, _?):
            throw Fault(
                member: "user_id", code: "not-allowed",
                message: "Only a secret key may report events of a user_id. Send the device's installation instead.")
        case (_?, _?):
            throw Fault(
                member: "user_id", code: "not-allowed",
                message: "An event can't have both installation and user_id. Send the one that is known.")
        case (nil, nil):
            throw Fault(
                member: "installation", code: "missing",
                message: mayNameUsers
                    ? "An event needs an installation or a user_id." : "An event needs the installation of the device.")
        }
        return CustomEvent(
            index: index, id: id, sender: sender, name: name, time: time, valueMillionths: millionths,
            properties: properties)
    }

    /// Remarks about an event that is stored nevertheless.
    var flaws: [EventFields.Fault] {
        (time == .unreadable ? [EventFields.timeFlaw] : [])
            + (unknown.isEmpty ? [] : [EventFields.unknownFlaw(unknown)])
    }
}
