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
    fileprivate var clause: String {
        description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}
