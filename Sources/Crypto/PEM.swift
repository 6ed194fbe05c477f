/// The keys and certificates of a file or a pasted text (RFC 7468). It repairs what people's tools do to a key: lost,
/// doubled and written-out line ends, quotes, invisible characters, typographic dashes, UTF-16, a missing BEGIN or END
/// line, and base64 of the whole file, alone, in a data URL or in a settings file. DER, the binary form, is read as well.
struct PEM {
    /// Bytes. A P-256 key takes 250, the longest RSA key in use 13,000.
    static let maximumLength = 16_384

    private let blocks: [[UInt8]]
    /// Why a block has no bytes, or why there are no blocks; nil if this is just some text.
    private let fault: String?

    init(_ bytes: some Collection<UInt8>, maximumLength: Int = maximumLength) {
        self =
            bytes.count <= maximumLength
            ? PEM(Array(bytes), layers: Self.maximumLayers)
            : PEM(blocks: [], fault: "it is longer than \(maximumLength) bytes")
    }

    /// `layers` is how often the bytes may be base64 of others.
    private init(_ bytes: [UInt8], layers: Int) {
        guard let text = FileText.decode(bytes) else {
            self.init(blocks: [bytes], fault: nil)
            return
        }
        let characters = PastedText(text).characters
        let found = Self.blocks(characters)
        if !found.isEmpty {
            self.init(blocks: found.compactMap(\.der), fault: found.lazy.compactMap(\.fault).first)
        } else if layers > 0, let inner = Self.decoded(characters), inner.count > Self.leastContent {
            self.init(inner, layers: layers - 1)
        } else if layers > 0, case let blocks = Self.embedded(in: text, layers: layers - 1), !blocks.isEmpty {
            self.init(blocks: blocks, fault: nil)
        } else if let content = KeyContent(text: text) {
            self.init(blocks: [], fault: content.reason)
        } else {
            self.init(blocks: [], fault: characters.isEmpty ? "it is empty" : nil)
        }
    }

    private init(blocks: [[UInt8]], fault: String?) {
        self.blocks = blocks
        self.fault = fault
    }

    /// A secret of Kubernetes is base64 of what may be base64 of the file.
    private static let maximumLayers = 3
    /// Bytes. No key is shorter; a shorter text of base64's characters is a word.
    private static let leastContent = 32

    /// The blocks that are of this kind; nil if there is none.
    func blocks(of kind: KeyContent) -> [[UInt8]]? {
        var kept: [[UInt8]] = []
        for block in blocks where KeyContent(der: block) == kind && !kept.contains(block) { kept.append(block) }
        return kept.isEmpty ? nil : kept
    }

    /// Why one of several blocks can't be read; nil if all can.
    var damage: String? {
        fault ?? blocks.lazy.map(KeyContent.init(der:)).first { !$0.isWhole }?.reason
    }

    /// Explains why no block of the wanted type was found, as a clause for `CryptoError`.
    func problem(wanted: String) -> String {
        let contents = blocks.map(KeyContent.init(der:))
        let named = contents.first(where: \.isWhole)
        return named?.reason ?? fault ?? contents.first?.reason ?? "it contains no -----BEGIN \(wanted)----- line"
    }

    /// Writes a block in OpenSSL's form.
    static func text(_ label: String, _ der: [UInt8]) -> String {
        let body = Array(Base64URL.encode(der, alphabet: .standard).utf8)
        let padded = body + [UInt8](repeating: UInt8(ascii: "="), count: (4 - body.count % 4) % 4)
        let lines = stride(from: 0, to: padded.count, by: 64).map {
            String(decoding: padded[$0..<min($0 + 64, padded.count)], as: UTF8.self)
        }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).map { $0 + "\n" }.joined()
    }

    // MARK: Finding blocks

    /// Without spaces, since these are lost as well; a label comes before those that it ends with.
    private static let labels = [
        "ENCRYPTEDPRIVATEKEY", "OPENSSHPRIVATEKEY", "RSAPRIVATEKEY", "ECPRIVATEKEY", "DSAPRIVATEKEY", "PRIVATEKEY",
        "RSAPUBLICKEY", "SSH2PUBLICKEY", "PUBLICKEY", "CERTIFICATEREQUEST", "NEWCERTIFICATEREQUEST",
        "TRUSTEDCERTIFICATE", "X509CERTIFICATE", "CERTIFICATE", "PKCS7", "CMS",
    ].map { Array($0.utf8) }

    private static func blocks(_ characters: [UInt8]) -> [(der: [UInt8]?, fault: String?)] {
        var found: [(der: [UInt8]?, fault: String?)] = []
        var rest = characters[...]
        while let begin = rest.firstRange(of: "BEGIN".utf8) {
            rest = rest[begin.upperBound...]
            guard let label = labels.first(where: { rest.starts(with: $0) }) else { continue }
            rest = rest.dropFirst(label.count).drop { $0 == UInt8(ascii: "-") }
            let body = rest.prefix { $0 != UInt8(ascii: "-") }
            found.append(block(body, label: String(decoding: label, as: UTF8.self)))
        }
        return found
    }

    private static func block(_ body: ArraySlice<UInt8>, label: String) -> (der: [UInt8]?, fault: String?) {
        if label.hasPrefix("OPENSSH") || label.hasPrefix("SSH2") { return (nil, KeyContent.sshKey.reason) }
        // RFC 1421 §4.6.1.1: "Proc-Type: 4,ENCRYPTED".
        if label.hasPrefix("ENCRYPTED") || body.elementsEqual("Proc".utf8) {
            return (nil, KeyContent.encryptedKey.reason)
        }
        guard let der = base64(body) else { return (nil, KeyContent.damaged.reason) }
        return (der, nil)
    }

    /// The blocks of the values in a text that are base64: in a data URL, or the settings of another program.
    private static func embedded(in text: String, layers: Int) -> [[UInt8]] {
        Base64Run.all(in: text).flatMap { run in
            base64(run[...]).map { PEM($0, layers: layers).blocks.filter { KeyContent(der: $0).isWhole } } ?? []
        }
    }

    /// The bytes of a text that is base64 and nothing else; an END line may follow.
    private static func decoded(_ characters: [UInt8]) -> [UInt8]? {
        let end = characters.firstRange(of: "-END".utf8)?.lowerBound ?? characters.endIndex
        return base64(characters[..<end])
    }

    /// The end may be missing: what remains of it is no whole byte.
    private static func base64(_ characters: ArraySlice<UInt8>) -> [UInt8]? {
        let body = Array(characters.reversed().drop { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "-") }.reversed())
        do throws(CryptoError) {
            return try Base64URL.decode(body, tolerating: .standardAlphabet)
        } catch {
            let groups = body.prefix(body.count / 4 * 4)
            guard error != .notBase64(.padding), groups.count < body.count else { return nil }
            return try? Base64URL.decode(groups, tolerating: .standardAlphabet)
        }
    }
}
