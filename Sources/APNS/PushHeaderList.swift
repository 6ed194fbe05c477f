import HTTP2

/// A push's header fields in the order and with the HPACK indexing that Apple recommends: path and id
/// are never indexed, fields that rarely change are. Expiration and collapse id are the same for all pushes of a
/// campaign, and differ between transactional pushes; they are indexed while they do not change.
final class PushHeaderList {
    let list = HeaderList(capacity: 11)
    private var authority: UnsafeRawBufferPointer?
    /// The bytes of the current token and the previous one, which a frame that is not written yet may refer to.
    private var authorizations: [UnsafeRawBufferPointer] = []
    /// Retained until the next headers are compared with these.
    private var shared: PushHeaders?
    private var needsRebuild = true
    private var expiration = IndexedWhenRepeated()
    private var collapseID = IndexedWhenRepeated()
    private var pathIndex = 0
    private var idIndex = 0
    /// Nil if the push does not have the field.
    private var expirationIndex: Int?
    private var collapseIDIndex: Int?

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
        needsRebuild = true
    }

    /// The values belong to the window that is being sent, so nothing is copied.
    func set(_ headers: PushHeaders) {
        guard needsRebuild || headers !== shared else { return }
        expiration.set(headers.expiration)
        collapseID.set(headers.collapseID)
        shared = headers
        rebuild(headers)
    }

    func set(path: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) {
        list.setValue(at: pathIndex, path)
        list.setValue(at: idIndex, id)
        if let expirationIndex { list.setIndexed(at: expirationIndex, expiration.nextIsIndexed()) }
        if let collapseIDIndex { list.setIndexed(at: collapseIDIndex, collapseID.nextIsIndexed()) }
    }

    private func rebuild(_ headers: PushHeaders) {
        guard let authority, let authorization = authorizations.last else { return }
        needsRebuild = false
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
        expirationIndex = headers.expiration.map {
            list.append(name: "apns-expiration", value: $0, isIndexed: false)
        }
        collapseIDIndex = headers.collapseID.map {
            list.append(name: "apns-collapse-id", value: $0, isIndexed: false)
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
