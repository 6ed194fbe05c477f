import COpenSSL

/// SHA-256 (FIPS 180-4). It is a value: a copy forks the computation, which makes HMAC cheap.
public struct SHA256: Sendable {
    /// Bytes.
    public static let digestLength = 32
    /// The block size in bytes; HMAC pads its key to it.
    static let blockLength = 64

    private var state = SHA256_CTX()

    public init() {
        belfry_sha256_init(&state)
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        belfry_sha256_update(&state, bytes.baseAddress, bytes.count)
    }

    public mutating func update(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of all bytes so far; more may follow.
    public func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestLength) { buffer, count in
            digest(into: UnsafeMutableRawBufferPointer(buffer))
            count = Self.digestLength
        }
    }

    /// Writes 32 bytes to the start of a buffer that has room for them; allocates nothing.
    public func digest(into buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= Self.digestLength, "A SHA-256 digest takes 32 bytes")
        var finished = state
        belfry_sha256_final(&finished, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// 64 lower-case digits.
    public static func hex(_ bytes: some Collection<UInt8>) -> String {
        Hex.encode(hash(bytes))
    }
}
