import HTTPTypes

/// Looks up common field names by their bytes. Any other name costs a string and a lower-case copy.
enum FieldNames {
    private static let known: [HTTPField.Name] = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .connection, .contentEncoding,
        .contentLength, .contentType, .cookie, .expect, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange,
        .ifUnmodifiedSince, .origin, .range, .referer, .te, .trailer, .transferEncoding, .upgrade,
        .userAgent,
    ]

    private struct Entry {
        let bytes: [UInt8]
        let name: HTTPField.Name
    }

    /// The known names by their length.
    private static let byLength: [[Entry]] = {
        var table: [[Entry]] = []
        for name in known {
            let bytes = Array(name.canonicalName.utf8)
            while table.count <= bytes.count { table.append([]) }
            table[bytes.count].append(Entry(bytes: bytes, name: name))
        }
        return table
    }()

    /// Returns nil if the bytes are not a token (RFC 9110 §5.6.2).
    static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        if bytes.count < byLength.count {
            for entry in byLength[bytes.count] where equals(bytes, lowercase: entry.bytes) { return entry.name }
        }
        guard bytes.allSatisfy(\.isToken) else { return nil }
        return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
    }

    static func equals(_ bytes: UnsafeRawBufferPointer, lowercase: [UInt8]) -> Bool {
        guard bytes.count == lowercase.count else { return false }
        for index in lowercase.indices where bytes[index].lowercased != lowercase[index] { return false }
        return true
    }
}
