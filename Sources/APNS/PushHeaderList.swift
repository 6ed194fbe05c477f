import HTTP2

/// A push's header fields in the order and with the HPACK indexing that Apple recommends: path and id
/// are never indexed, fields that rarely change are.
final class PushHeaderList {
    let list = HeaderList(capacity: 11)
    private var authority: UnsafeRawBufferPointer?
    /// The bytes of the current token and the previous one, which a frame that is not written yet may refer to.
    private var authorizations: [UnsafeRawBufferPointer] = []
    private var shared: PushHeaders?
    private var pathIndex = 0
    private var idIndex = 0

    deinit {
        authority?.deallocate()
        for bytes in authorizations { bytes.deallocate() }
    }

    func set(authority: String) {
        self.authority?.deallocate()
        self.authority = Self.copy(Array(authority.utf8))
    }

    func set(token: ProviderToken) {
        authorizations.append(Self.copy(token.authorization))
        if authorizations.count > 2 { authorizations.removeFirst().deallocate() }
        shared = nil
    }

    /// The values belong to the window that is being sent, so nothing is copied.
    func set(_ headers: PushHeaders) {
        guard headers !== shared else { return }
        shared = headers
        rebuild(headers)
    }

    func set(path: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) {
        list.setValue(at: pathIndex, path)
        list.setValue(at: idIndex, id)
    }

    private func rebuild(_ headers: PushHeaders) {
        guard let authority, let authorization = authorizations.last else { return }
        list.removeAll()
        list.append(name: ":method", value: Self.post, isIndexed: true)
        list.append(name: ":scheme", value: Self.https, isIndexed: true)
        list.append(name: ":authority", value: authority, isIndexed: true)
        pathIndex = list.append(name: ":path", value: authority, isIndexed: false)
        // nghttp2 never indexes this field, whatever is requested.
        list.append(name: "authorization", value: authorization, isIndexed: true)
        list.append(name: "apns-topic", value: headers.topic, isIndexed: true)
        list.append(name: "apns-push-type", value: headers.pushType, isIndexed: true)
        list.append(name: "apns-priority", value: headers.priority, isIndexed: true)
        idIndex = list.append(name: "apns-id", value: authority, isIndexed: false)
        if let expiration = headers.expiration {
            list.append(name: "apns-expiration", value: expiration, isIndexed: true)
        }
        if let collapseID = headers.collapseID {
            list.append(name: "apns-collapse-id", value: collapseID, isIndexed: true)
        }
    }

    private static var post: UnsafeRawBufferPointer { constant("POST") }
    private static var https: UnsafeRawBufferPointer { constant("https") }

    private static func constant(_ text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(memory)
    }
}
