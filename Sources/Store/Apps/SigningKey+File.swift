public import Crypto
public import JSON

extension SigningKey {
    /// Reads Apple's .p8 file, or text that was pasted from it. Routes and commands refuse it with the same messages.
    public init(p8 bytes: some Collection<UInt8>) throws(InvalidValue) {
        do throws(CryptoError) {
            try self.init(file: bytes)
        } catch {
            // Crypto's messages never contain the key. A problem's message gets its full stop later.
            throw InvalidValue("not-a-signing-key", "must be the .p8 file from Apple, AuthKey_….p8. \(error.clause)")
        }
    }
}

extension CryptoError {
    /// The error about a file from Apple, without its full stop.
    fileprivate var clause: Message {
        switch self {
        case .notAPrivateKey(let reason): "This is not a usable private key: \(Message(sentence: reason))"
        case .notP256(let key): "The file contains \(key.message); Apple's keys are EC P-256"
        case .notAPublicKey, .notACertificate, .authenticationFailed, .sealingKeyMissing, .notBase64, .notHexadecimal,
            .notAPasswordHash, .outOfRange, .openSSL:
            Message(verbatim: description.hasSuffix(".") ? String(description.dropLast()) : description)
        }
    }
}

extension CryptoError.OtherKey {
    fileprivate var message: Message {
        switch self {
        case .rsa, .p384, .p521: Message(sentence: description)
        case .curve(let name): "an EC key on the curve \(name)"
        case .type(let name): "a key of type \(name)"
        }
    }
}
