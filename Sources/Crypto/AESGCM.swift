import COpenSSL

/// AES-256-GCM (NIST SP 800-38D): encrypts the secrets in the database, such as .p8 files.
///
/// The nonce is random, so one key may seal 2³² messages, far more than Belfry seals.
public struct AESGCM: Sendable, Redacted {
    /// Bytes.
    public static let keyLength = 32
    public static let nonceLength = 12
    public static let tagLength = 16
    /// Maximum bytes of plain text and of context.
    public static let maximumLength = 1 << 20

    private let key: [UInt8]

    /// Throws `outOfRange` unless `key` has 32 bytes.
    public init(key: [UInt8]) throws(CryptoError) {
        guard key.count == Self.keyLength else {
            throw .outOfRange("A sealing key must have \(Self.keyLength) bytes, not \(key.count).")
        }
        self.key = key
    }

    /// Returns nonce ‖ cipher text ‖ tag. `context` is authenticated but not stored; `open` requires the same context.
    /// With the row and column as context, a value that is copied to another row can't be opened.
    public func seal(_ plaintext: [UInt8], authenticating context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        try seal(plaintext, authenticating: context, nonce: RandomBytes.make(count: Self.nonceLength))
    }

    /// Only tests choose the nonce. A nonce that is used twice with one key breaks the encryption.
    func seal(_ plaintext: [UInt8], authenticating context: [UInt8], nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        for length in [plaintext.count, context.count] where length > Self.maximumLength {
            throw .outOfRange("At most \(Self.maximumLength) bytes can be sealed in one call, not \(length).")
        }
        guard let cipher = EVP_CIPHER_CTX_new() else { throw .failed(to: "reserve memory") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var text = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        guard start(cipher, encrypting: true, nonce: nonce, context: context),
            run(cipher, over: plaintext, into: &text),
            finish(cipher),
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { throw .failed(to: "encrypt") }
        return nonce + text + tag
    }

    /// Decrypts what `seal` returned. Throws `authenticationFailed` for any other bytes, key or context.
    public func open(_ sealed: [UInt8], authenticating context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        let overhead = Self.nonceLength + Self.tagLength
        guard overhead...(Self.maximumLength + overhead) ~= sealed.count, context.count <= Self.maximumLength else {
            throw .authenticationFailed
        }
        let nonce = Array(sealed.prefix(Self.nonceLength))
        let ciphertext = Array(sealed.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
        var tag = Array(sealed.suffix(Self.tagLength))

        guard let cipher = EVP_CIPHER_CTX_new() else { throw .failed(to: "reserve memory") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var text = [UInt8](repeating: 0, count: ciphertext.count)
        guard start(cipher, encrypting: false, nonce: nonce, context: context),
            run(cipher, over: ciphertext, into: &text),
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        else { throw .failed(to: "decrypt") }
        guard finish(cipher) else {
            CryptoError.clearErrors()
            throw .authenticationFailed
        }
        return text
    }

    private func start(_ cipher: OpaquePointer, encrypting: Bool, nonce: [UInt8], context: [UInt8]) -> Bool {
        var count: Int32 = 0
        return EVP_CipherInit_ex2(cipher, EVP_aes_256_gcm(), key, nonce, encrypting ? 1 : 0, nil) == 1
            && (context.isEmpty || EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1)
    }

    private func run(_ cipher: OpaquePointer, over input: [UInt8], into output: inout [UInt8]) -> Bool {
        var count: Int32 = 0
        return input.isEmpty || EVP_CipherUpdate(cipher, &output, &count, input, Int32(input.count)) == 1
    }

    private func finish(_ cipher: OpaquePointer) -> Bool {
        // GCM adds no bytes at the end, but OpenSSL requires a buffer for one block.
        var block = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        return EVP_CipherFinal_ex(cipher, &block, &count) == 1
    }
}
