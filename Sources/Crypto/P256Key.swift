import COpenSSL

/// Owner of an `EVP_PKEY` that is known to be EC P-256.
///
/// Unchecked because of the C handle: the key is never changed after `init`, and OpenSSL guards its
/// reference count and its caches itself, so threads may sign with one key at the same time.
final class P256Key: @unchecked Sendable {
    let handle: OpaquePointer

    /// Takes ownership of the handle, even if it throws.
    init(owning handle: OpaquePointer) throws(CryptoError) {
        self.handle = handle
        guard EVP_PKEY_is_a(handle, "EC") == 1, Self.curve(of: handle) == "prime256v1" else {
            throw .notP256(Self.kind(of: handle))
        }
    }

    deinit { EVP_PKEY_free(handle) }

    static func generate() throws(CryptoError) -> P256Key {
        guard let handle = belfry_generate_p256_key() else { throw .failed(to: "generate a key") }
        return try P256Key(owning: handle)
    }

    /// Reads the one private key of a file or a pasted text.
    static func readPrivate(_ bytes: some Collection<UInt8>) throws(CryptoError) -> P256Key {
        let pem = PEM(bytes)
        guard let found = pem.blocks(of: .privateKey) else {
            throw .notAPrivateKey(pem.problem(wanted: "PRIVATE KEY"))
        }
        guard found.count == 1, let handle = KeyContent.privateKey(found[0]) else {
            throw .notAPrivateKey("the file contains several private keys; leave only one in it")
        }
        let key = try P256Key(owning: handle)
        try key.checkKeyPair()
        return key
    }

    static func readPublic(_ bytes: some Collection<UInt8>) throws(CryptoError) -> P256Key {
        let pem = PEM(bytes)
        guard let handle = pem.blocks(of: .publicKey)?.first.flatMap(KeyContent.publicKey) else {
            throw .notAPublicKey(pem.problem(wanted: "PUBLIC KEY"))
        }
        return try P256Key(owning: handle)
    }

    func privatePEM() throws(CryptoError) -> String {
        let stream = try MemoryStream()
        guard PEM_write_bio_PKCS8PrivateKey(stream.bio, handle, nil, nil, 0, nil, nil) == 1 else {
            throw .failed(to: "write a private key")
        }
        return stream.text()
    }

    func publicPEM() throws(CryptoError) -> String {
        let stream = try MemoryStream()
        guard PEM_write_bio_PUBKEY(stream.bio, handle) == 1 else { throw .failed(to: "write a public key") }
        return stream.text()
    }

    /// Checks that the public key matches the private key. A damaged file may be well-formed, and Apple would reject
    /// its signatures much later.
    private func checkKeyPair() throws(CryptoError) {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, handle, nil) else {
            throw .failed(to: "check a private key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_check(context) == 1 else {
            CryptoError.clearErrors()
            throw .notAPrivateKey("its private and public halves do not match")
        }
    }

    private static func curve(of handle: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(handle, &name, name.count, nil) == 1 else {
            CryptoError.clearErrors()
            return nil
        }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    private static func kind(of handle: OpaquePointer) -> CryptoError.OtherKey {
        if EVP_PKEY_is_a(handle, "RSA") == 1 { return .rsa }
        if EVP_PKEY_is_a(handle, "EC") == 1 {
            switch curve(of: handle) {
            case "secp384r1": return .p384
            case "secp521r1": return .p521
            case let other: return .curve(other ?? "without a name")
            }
        }
        let name = EVP_PKEY_get0_type_name(handle).map { String(cString: $0) }
        return .type(name ?? "unknown")
    }
}
