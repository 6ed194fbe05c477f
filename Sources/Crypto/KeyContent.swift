import COpenSSL

/// The kind of a file, in the words of an error about it.
enum KeyContent {
    case privateKey, publicKey, certificate, certificateRequest, pkcs12, encryptedKey, signedMessage
    case sshKey, webToken, webPage, json, archive, binaryText, cut, damaged

    /// Whether the file is what it is: nothing is missing.
    var isWhole: Bool { ![.binaryText, .cut, .damaged].contains(self) }

    /// Tells what DER contains by what OpenSSL can read, since a label may be wrong or lost.
    init(der: [UInt8]) {
        func isRead(_ object: OpaquePointer?, _ free: (OpaquePointer?) -> Void) -> Bool {
            free(object)
            return object != nil
        }
        if isRead(Self.privateKey(der), EVP_PKEY_free) {
            self = .privateKey
        } else if isRead(Self.publicKey(der), EVP_PKEY_free) {
            self = .publicKey
        } else if isRead(Self.certificate(der), X509_free) {
            self = .certificate
        } else if isRead(Self.read(der) { d2i_X509_REQ(nil, $0, $1) }, X509_REQ_free) {
            self = .certificateRequest
        } else if isRead(Self.read(der) { d2i_PKCS12(nil, $0, $1) }, PKCS12_free) {
            self = .pkcs12
        } else if isRead(Self.read(der) { d2i_X509_SIG(nil, $0, $1) }, X509_SIG_free) {
            self = .encryptedKey
        } else if isRead(Self.read(der) { d2i_CMS_ContentInfo(nil, $0, $1) }, CMS_ContentInfo_free) {
            self = .signedMessage
        } else if der.starts(with: "PK\u{3}\u{4}".utf8) {
            self = .archive
        } else if der.firstRange(of: "\u{FFFD}".utf8) != nil {
            self = .binaryText
        } else {
            self = Self.isCut(der) ? .cut : .damaged
        }
    }

    /// Tells what a text without a block is; nil if it is just some text.
    init?(text: String) {
        let text = text.drop(while: \.isWhitespace)
        if text.hasPrefix("<") {
            self = .webPage
        } else if text.hasPrefix("{") || text.hasPrefix("[") {
            self = .json
        } else if ["ssh-", "ecdsa-sha2-", "PuTTY-User-Key"].contains(where: text.hasPrefix) {
            self = .sshKey
        } else if text.hasPrefix("eyJ"), text.contains(".") {
            self = .webToken
        } else if text.unicodeScalars.contains("\u{FFFD}") {
            self = .binaryText
        } else {
            return nil
        }
    }

    /// The reason in an error about another kind of file.
    var reason: String {
        switch self {
        case .privateKey: "the file contains a private key"
        case .publicKey: "the file contains a public key"
        case .certificate: "the file contains a certificate"
        case .certificateRequest: "the file contains a certificate request"
        case .pkcs12: "the file is a .p12 file, a certificate with its key under a password"
        case .encryptedKey: "it is encrypted with a passphrase; remove it with openssl pkey"
        case .signedMessage: "the file is a signed message, such as a provisioning profile"
        case .sshKey: "the file contains an SSH key"
        case .webToken: "the text is a token that was signed with a key, not the key"
        case .webPage: "the file is a web page, not the download"
        case .json: "the file is JSON that contains no key"
        case .archive: "the file is a ZIP archive; unpack it first"
        case .binaryText:
            "it is a binary file that was opened as text, which loses parts of it; choose the file itself"
        case .cut: "its end is missing; copy or download it again"
        case .damaged: "its contents are damaged; copy or download it again"
        }
    }

    // The caller frees what the next three return.

    static func privateKey(_ der: [UInt8]) -> OpaquePointer? { read(der) { d2i_AutoPrivateKey(nil, $0, $1) } }
    static func publicKey(_ der: [UInt8]) -> OpaquePointer? { read(der) { d2i_PUBKEY(nil, $0, $1) } }
    static func certificate(_ der: [UInt8]) -> OpaquePointer? { read(der) { d2i_X509(nil, $0, $1) } }

    private static func read(
        _ der: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        defer { CryptoError.clearErrors() }
        return der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return read(&start, bytes.count)
        }
    }

    /// Whether fewer bytes follow than the first header announces (X.690 §8.1.3).
    private static func isCut(_ der: [UInt8]) -> Bool {
        guard der.count >= 2, der[0] == 0x30 else { return false }
        guard der[1] >= 0x80 else { return der.count < 2 + Int(der[1]) }
        let octets = Int(der[1] & 0x7F)
        guard 1...3 ~= octets else { return false }
        guard der.count > 2 + octets else { return true }
        return der.count < der[2..<2 + octets].reduce(0) { $0 << 8 | Int($1) } + 2 + octets
    }
}
