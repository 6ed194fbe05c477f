/// The stored form of a user's password: `$scrypt$ln=15,r=8,p=1$salt$hash` in the PHC string
/// format, salt and hash in unpadded standard base64. Each call takes 32 MB and about a tenth of a second.
public enum PasswordHash {
    /// OWASP recommends p = 3 for 2¹⁵; p = 1 is enough here because sign-in attempts are limited, and it suits small
    /// machines.
    static let logarithmicCost = 15
    static let blockSize = 8
    static let parallelism = 1
    /// Bytes.
    static let saltLength = 16
    static let hashLength = 32
    /// Bytes of UTF-8.
    public static let maximumPasswordLength = 1_024

    public static func make(_ password: String) throws(CryptoError) -> String {
        let password = Array(password.utf8)
        guard password.count <= maximumPasswordLength else {
            throw .outOfRange("A password can have at most \(maximumPasswordLength) bytes.")
        }
        let salt = try RandomBytes.make(count: saltLength)
        let hash = try Scrypt.derive(
            password: password, salt: salt, n: 1 << logarithmicCost, r: blockSize, p: parallelism, length: hashLength)
        let parameters = "ln=\(logarithmicCost),r=\(blockSize),p=\(parallelism)"
        return "$scrypt$\(parameters)$\(base64(salt))$\(base64(hash))"
    }

    /// Throws `notAPasswordHash` if the stored text is malformed.
    public static func verify(_ password: String, against stored: String) throws(CryptoError) -> Bool {
        let stored = try Stored(stored)
        let password = Array(password.utf8)
        guard password.count <= maximumPasswordLength else { return false }
        let hash = try Scrypt.derive(
            password: password, salt: stored.salt, n: 1 << stored.logarithmicCost, r: stored.blockSize,
            p: stored.parallelism, length: stored.hash.count)
        return constantTimeEquals(hash, stored.hash)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Base64URL.encode(bytes, alphabet: .standard)
    }

    /// The parts of a stored hash. Its cost parameters may differ from the current ones.
    private struct Stored {
        let logarithmicCost: Int
        let blockSize: Int
        let parallelism: Int
        let salt: [UInt8]
        let hash: [UInt8]

        init(_ text: String) throws(CryptoError) {
            let parts = text.split(separator: "$", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else {
                throw .notAPasswordHash("it does not have the form $scrypt$…$…$…")
            }
            let parameters = parts[2].split(separator: ",", omittingEmptySubsequences: false)
            guard parameters.count == 3,
                let cost = Self.number(parameters[0], named: "ln="), 1...24 ~= cost,
                let blockSize = Self.number(parameters[1], named: "r="),
                let parallelism = Self.number(parameters[2], named: "p=")
            else { throw .notAPasswordHash("its parameters are not of the form ln=15,r=8,p=1") }
            logarithmicCost = cost
            self.blockSize = blockSize
            self.parallelism = parallelism
            do {
                salt = try Base64URL.decode(parts[3], tolerating: .standardAlphabet)
                hash = try Base64URL.decode(parts[4], tolerating: .standardAlphabet)
            } catch {
                throw .notAPasswordHash("its salt or hash is not base64")
            }
            // An empty hash would match every password.
            guard 8...64 ~= salt.count, 16...64 ~= hash.count else {
                throw .notAPasswordHash("its salt or hash is too short or too long")
            }
        }

        private static func number(_ text: Substring, named name: String) -> Int? {
            text.hasPrefix(name) ? Int(text.dropFirst(name.count)) : nil
        }
    }
}
