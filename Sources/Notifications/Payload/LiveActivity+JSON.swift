import JSON

extension LiveActivity {
    init(_ reader: inout ObjectReader) {
        timestamp = reader.seconds(APS.Key.timestamp)
        event = reader.choice(APS.Key.event)
        contentState = reader.members(APS.Key.contentState)
        attributesType = reader.string(APS.Key.attributesType)
        attributes = reader.members(APS.Key.attributes)
        staleDate = reader.seconds(APS.Key.staleDate)
        dismissalDate = reader.seconds(APS.Key.dismissalDate)
        inputPushToken = reader.flag(APS.Key.inputPushToken)
        inputPushChannel = reader.string(APS.Key.inputPushChannel)
        if let inputPushChannel, !Self.isBase64(inputPushChannel) {
            reader.refuse(
                APS.Key.inputPushChannel, "not-base64",
                "must be a channel id in base64, as Apple returned it, not \(JSON.string(inputPushChannel).summary)")
        }
    }

    var members: [JSON.Member] {
        var members: [JSON.Member] = []
        members.append(APS.Key.timestamp, timestamp.map { .number($0) })
        members.append(APS.Key.event, event.map { .string($0.rawValue) })
        members.append(APS.Key.contentState, contentState.map { .object($0) })
        members.append(APS.Key.attributesType, attributesType.map { .string($0) })
        members.append(APS.Key.attributes, attributes.map { .object($0) })
        members.append(APS.Key.staleDate, staleDate.map { .number($0) })
        members.append(APS.Key.dismissalDate, dismissalDate.map { .number($0) })
        members.append(APS.Key.inputPushToken, inputPushToken.map { $0 ? 1 : 0 })
        members.append(APS.Key.inputPushChannel, inputPushChannel.map { .string($0) })
        return members
    }

    /// The keys that are present.
    var keys: [APS.Key] { members.compactMap { APS.Key(rawValue: $0.key) } }

    /// RFC 4648 §4, with padding. Apple does not document the length of a channel id.
    private static func isBase64(_ text: String) -> Bool {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return !text.isEmpty && text.utf8.count.isMultiple(of: 4) && padding <= 2
            && text.utf8.dropLast(padding).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
