import Campaigns
import JSON
import Notifications

/// What a line of a file says about consent: the topics that were opted out of, and whether it is an opt-out from all
/// campaigns.
struct FileConsent {
    /// The keys of the column `opt_outs`; nil: the line has none.
    private var keys: [String]?
    private var added: [String] = []
    var isOptedOut = false
    var isSubscribed = false

    /// Whether the line says nothing about all campaigns.
    var isSilent: Bool { !isOptedOut && !isSubscribed }

    /// Reads the column `opt_outs`: a JSON list, or keys between semicolons. A column with that name may also say only yes
    /// or no, and no key of a topic would be meant by these words.
    mutating func read(optOuts field: ArraySlice<UInt8>) -> Problem? {
        let text = FileText.trim(field)
        if text.first == UInt8(ascii: "[") {
            keys = Self.texts(inJSON: text)
            return keys == nil ? Self.notTexts : nil
        }
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "true", "yes": isOptedOut = true
        case "false", "no": isSubscribed = true
        default:
            keys = text.split(separator: UInt8(ascii: ";")).map {
                String(decoding: FileText.trim($0), as: UTF8.self)
            }
            .filter { !$0.isEmpty }
        }
        return nil
    }

    /// Reads the member `add_opt_outs` of an object.
    mutating func read(added field: ArraySlice<UInt8>) -> Problem? {
        guard let texts = Self.texts(inJSON: field) else { return Self.notTexts }
        added = texts
        return nil
    }

    private static let notTexts = Problem(
        path: "opt_outs", code: "not-json", message: "must be a list of texts, like [\"offers\"]")

    private static func texts(inJSON field: ArraySlice<UInt8>) -> [String]? {
        guard case .array(let elements)? = try? JSON(parsing: Array(field)) else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// `isRemovalGiven` says that the line has a member `remove_opt_outs` of its own.
    func write(to object: inout JSONObjectWriter, isRemovalGiven: Bool) {
        let all = isOptedOut && !(keys ?? added).contains(OptOut.allKey) ? [OptOut.allKey] : []
        if let keys { write(keys + all, as: .optOuts, to: &object) }
        let adding = keys == nil ? added + all : added
        if !adding.isEmpty { write(adding, as: .addOptOuts, to: &object) }
        if isSubscribed, !isOptedOut, keys == nil, adding.isEmpty, !isRemovalGiven {
            write([OptOut.allKey], as: .removeOptOuts, to: &object)
        }
    }

    private func write(_ keys: [String], as member: ProfileBody.Member, to object: inout JSONObjectWriter) {
        object.raw(member.rawValue, JSON.texts(keys).encoded())
    }
}
