import COpenSSL

/// PEM text of keys and certificates (RFC 7468), normalized for OpenSSL's reader.
struct PEM {
    /// Bytes. A P-256 key takes 250, the longest RSA key in use 13,000.
    static let maximumLength = 16_384

    /// Trimmed lines with "\n": pasted keys come with CRLF, indentation and a byte order mark.
    let text: [UInt8]
    /// The labels of the blocks, such as "PRIVATE KEY".
    let labels: [String]
    let isTooLong: Bool

    init(_ pasted: String) {
        var rest = Substring(pasted).utf8
        isTooLong = rest.count > Self.maximumLength
        if isTooLong { rest = rest.prefix(0) }
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }

        let lines = rest.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
            .compactMap { String($0.trimmingSpaces()) }
            .filter { !$0.isEmpty }
        text = Array(lines.map { $0 + "\n" }.joined().utf8)
        labels = lines.filter { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("-----") }
            .map { String($0.dropFirst(11).dropLast(5)) }
    }

    /// Explains why no block of the wanted type was found, as a clause for `CryptoError`.
    func problem(wanted: String) -> String {
        if isTooLong { return "it is longer than \(Self.maximumLength) bytes" }
        if text.isEmpty { return "it is empty" }
        guard let label = labels.first else { return "it contains no -----BEGIN \(wanted)----- line" }
        if label == "ENCRYPTED PRIVATE KEY" || text.contains("Proc-Type: 4,ENCRYPTED".utf8) {
            return "it is encrypted with a passphrase; Apple's keys are not encrypted"
        }
        if label.hasSuffix(wanted) { return "its contents are damaged" }
        if label.hasSuffix("PRIVATE KEY") { return "the file contains a private key" }
        if label == "PUBLIC KEY" { return "the file contains a public key" }
        if label == "CERTIFICATE" { return "the file contains a certificate" }
        return "it contains no -----BEGIN \(wanted)----- line"
    }
}

extension Substring.UTF8View {
    fileprivate func trimmingSpaces() -> Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var trimmed = drop(while: isSpace)
        while let last = trimmed.last, isSpace(last) { trimmed.removeLast() }
        return Substring(trimmed)
    }
}

/// An OpenSSL stream in memory, freed with its scope.
struct MemoryStream: ~Copyable {
    let bio: OpaquePointer

    init(_ bytes: [UInt8] = []) throws(CryptoError) {
        guard let bio = BIO_new(BIO_s_mem()) else { throw .failed(to: "reserve memory") }
        guard bytes.isEmpty || BIO_write(bio, bytes, Int32(bytes.count)) == bytes.count else {
            BIO_free(bio)
            throw .failed(to: "reserve memory")
        }
        self.bio = bio
    }

    deinit { BIO_free(bio) }

    /// Everything written so far.
    func text() -> String {
        let count = BIO_ctrl_pending(bio)
        return String(unsafeUninitializedCapacity: count) { buffer in
            max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(count))))
        }
    }
}
