import JSON
import Notifications

@testable import API
@testable import Campaigns

/// A document that the parser accepts means the same after it is written and read again, and the two readers of JSON
/// agree: the parser of documents, and the byte reader of registrations.
enum JSONTarget {
    static func check(_ input: [UInt8]) throws {
        let json = try? JSON(parsing: input)
        let isAccepted =
            (try? ByteReader.read(input) { reader throws(ByteReader.Malformed) in try reader.skip() }) != nil
        try Disagreement.unless(isAccepted == (json != nil), "byte reader: \(isAccepted), parser: \(json != nil)")
        if let json {
            let encoded = json.encoded()
            try Disagreement.unless(try JSON(parsing: encoded) == json, "encoded: \(encoded.text)")
            try Disagreement.unless(try JSON(parsing: json.lines()) == json, "in lines: \(json.lines())")
        }
        try checkRegistration(input, json)
    }

    private static func checkRegistration(_ input: [UInt8], _ json: JSON?) throws {
        let read = try? RegistrationBody.read(input, as: .update)
        guard let json else {
            // An unknown member that occurs twice is a problem of a registration, but no error of syntax.
            return try Disagreement.unless(read?.problems.isEmpty != true, "a registration that is not JSON")
        }
        guard let read else { throw Disagreement(description: "JSON that can't be read as a registration") }
        guard read.problems.isEmpty else { return }
        guard case .object = json else { throw Disagreement(description: "a registration that is not an object") }
        let changes = read.body.changes
        for (name, value) in [
            ("user_id", changes.userID), ("app_version", changes.appVersion), ("model", changes.model),
        ] {
            try Disagreement.unless(value == patch(json[name]), "\(name): \(value)")
        }
        if case .string(let token)? = json["token"] {
            try Disagreement.unless(changes.token?.hex == token.lowercased(), "token \(token)")
        }
        if let attributes = json["attributes"], attributes != .null, let given = changes.profile.attributes.given {
            try Disagreement.unless(try JSON(parsing: given.text) == attributes, "attributes: \(given.text.text)")
        }
    }

    private static func patch(_ json: JSON?) -> PatchValue<String> {
        switch json {
        case .string(let text)?: .value(text)
        case .null?: .null
        default: .absent
        }
    }
}

extension [UInt8] {
    /// For messages.
    var text: String { String(decoding: self, as: UTF8.self) }
}
