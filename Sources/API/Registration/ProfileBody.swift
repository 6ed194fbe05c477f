import Campaigns
import JSON
import Notifications
import Store

/// Reads the members about attributes, tags and opt-outs: of an installation, or of a person.
struct ProfileBody: Equatable {
    /// The way in which a body without an explicit "replace" changes attributes.
    enum Mode {
        /// PUT: the attributes are all there are.
        case replacing
        /// PATCH: null removes an attribute, and others are kept.
        case merging
    }

    enum Member: String, CaseIterable {
        case attributes
        case replaceAttributes = "replace_attributes"
        case tags
        case addTags = "add_tags"
        case removeTags = "remove_tags"
        case optOuts = "opt_outs"
        case addOptOuts = "add_opt_outs"
        case removeOptOuts = "remove_opt_outs"
    }

    private var attributes: DeviceAttributes?
    private var replacement: DeviceAttributes?
    private var tags = SetBody()
    private var optOuts = SetBody()

    fileprivate struct SetBody: Equatable {
        var all: [String]?
        var added: [String]?
        var removed: [String]?
    }

    /// Reads the value of a member; `path` is its path.
    mutating func read(
        _ member: Member, _ reader: inout ByteReader, _ path: String
    ) throws(ByteReader.Malformed) {
        switch member {
        // null clears all attributes.
        case .attributes where reader.peek() == UInt8(ascii: "n"): replacement = try reader.attributes(path)
        case .attributes: attributes = try reader.attributes(path)
        case .replaceAttributes: replacement = try reader.attributes(path)
        case .tags: tags.all = try reader.tags(path)
        case .addTags: tags.added = try reader.tags(path)
        case .removeTags: tags.removed = try reader.tags(path)
        case .optOuts: optOuts.all = try reader.optOuts(path)
        case .addOptOuts: optOuts.added = try reader.optOuts(path)
        case .removeOptOuts: optOuts.removed = try reader.optOuts(path)
        }
    }

    /// The changes that the members make. Members that contradict each other are problems; `prefix` is their path.
    func changes(_ mode: Mode, _ reader: inout ByteReader, _ prefix: String = "") -> ProfileChanges {
        var changes = ProfileChanges()
        switch (attributes, replacement) {
        case (nil, nil): break
        case (let given?, nil): changes.attributes = mode == .replacing ? .state(given) : .merge(given)
        case (nil, let all?): changes.attributes = .replace(all)
        case (_?, _?):
            reader.refuse(
                prefix + Member.replaceAttributes.rawValue, "not-allowed", "can't be combined with attributes")
        }
        changes.tags = tags.change(&reader, prefix + "add_tags", "tags")
        changes.optOuts = optOuts.change(&reader, prefix + "add_opt_outs", "opt_outs")
        return changes
    }
}

extension ProfileBody.SetBody {
    fileprivate func change(_ reader: inout ByteReader, _ path: String, _ whole: String) -> SetChange {
        guard added != nil || removed != nil else { return all.map { .replace($0) } ?? .keep }
        if all != nil { reader.refuse(path, "not-allowed", "and its counterpart can't be combined with \(whole)") }
        let both = (added ?? []).filter { text in
            removed?.contains { $0.utf8.elementsEqual(text.utf8) } == true
        }
        if let text = both.first { reader.refuse(path, "not-allowed", "can't contain \(text), which is to be removed") }
        return .edit(add: added ?? [], remove: removed ?? [])
    }
}

extension ByteReader {
    fileprivate mutating func tags(_ path: String) throws(Malformed) -> [String]? {
        try strings(path, atMost: RegistrationBody.maximumTags, RegistrationBody.problem(withTag:))
    }

    fileprivate mutating func optOuts(_ path: String) throws(Malformed) -> [String]? {
        try strings(path, atMost: TopicStore.maximumCount, RegistrationBody.problem(withOptOut:))
    }

    /// Reads an object with the members of a profile, or null for no changes.
    mutating func profile(_ path: String) throws(Malformed) -> ProfileChanges? {
        switch peek() {
        case UInt8(ascii: "n"):
            try word("null")
            return nil
        case UInt8(ascii: "{"): break
        default:
            try wrongType(path, "an object")
            return nil
        }
        let prefix = path.isEmpty ? "" : path + "."
        var body = ProfileBody()
        var seen: Set<String> = []
        try members { reader, key throws(Malformed) in
            guard seen.insert(key).inserted else { throw reader.repeated(key) }
            guard let member = ProfileBody.Member(rawValue: key) else {
                return try reader.unknownMember(prefix + key)
            }
            try body.read(member, &reader, prefix + key)
        }
        return body.changes(.merging, &self, prefix)
    }
}
