/// One received request: the relevant header values, and the body. It is reused for later requests, to reuse its
/// memory.
struct PushRequest {
    enum Field: Int, CaseIterable {
        case method, path, authorization, topic, pushType, id, expiration, priority, collapseID
    }

    /// The part of a body that is stored, in bytes; the rest is only counted. It exceeds each of Apple's limits.
    static let maximumStoredBody = 8 * 1024

    private var head: [UInt8] = []
    private var fieldRanges = [Range<Int>?](repeating: nil, count: Field.allCases.count)
    private(set) var body: [UInt8] = []
    private(set) var bodySize = 0
    private(set) var hasDuplicates = false

    mutating func removeAll() {
        head.removeAll(keepingCapacity: true)
        for field in Field.allCases { fieldRanges[field.rawValue] = nil }
        body.removeAll(keepingCapacity: true)
        bodySize = 0
        hasDuplicates = false
    }

    subscript(field: Field) -> ArraySlice<UInt8>? {
        fieldRanges[field.rawValue].map { head[$0] }
    }

    mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard let field = Field(name: name) else { return }
        guard fieldRanges[field.rawValue] == nil else {
            hasDuplicates = true
            return
        }
        let start = head.count
        head.append(contentsOf: value)
        fieldRanges[field.rawValue] = start..<head.count
    }

    mutating func append(body bytes: UnsafeRawBufferPointer) {
        bodySize += bytes.count
        body.append(contentsOf: bytes.prefix(Self.maximumStoredBody - body.count))
    }
}

extension PushRequest.Field {
    init?(name: UnsafeRawBufferPointer) {
        guard let field = Self.allCases.first(where: { $0.matches(name) }) else { return nil }
        self = field
    }

    var name: StaticString {
        switch self {
        case .method: ":method"
        case .path: ":path"
        case .authorization: "authorization"
        case .topic: "apns-topic"
        case .pushType: "apns-push-type"
        case .id: "apns-id"
        case .expiration: "apns-expiration"
        case .priority: "apns-priority"
        case .collapseID: "apns-collapse-id"
        }
    }

    private func matches(_ other: UnsafeRawBufferPointer) -> Bool {
        let name = self.name
        guard name.utf8CodeUnitCount == other.count else { return false }
        return name.withUTF8Buffer { other.elementsEqual($0) }
    }
}
