import Glibc

extension SealingKeyRing {
    /// Bytes of a key file; eight keys take 520.
    static let maximumFileSize = 4_096

    /// Reads the keys from a file. If the file does not exist and nothing is sealed yet, it is created with a new key.
    /// Several processes may do this concurrently: one creates the file, and all get the same key.
    public static func load(file path: String, isNew: Bool = true) throws(SealingKeyError) -> SealingKeyRing {
        if let text = try read(path) { return try keys(text, path) }
        guard isNew else {
            throw .unusableFile(
                path, "it does not exist, and the database has secrets that its key sealed. Restore it from your backup"
            )
        }
        try make(path)
        guard let text = try read(path) else { throw .unusableFile(path, "it was deleted") }
        return try keys(text, path)
    }

    private static func keys(_ text: String, _ path: String) throws(SealingKeyError) -> SealingKeyRing {
        do {
            return try SealingKeyRing(text: text)
        } catch .notAKey(let number) {
            throw .unusableFile(path, "key \(number) in it is not 64 hexadecimal digits or 32 bytes in base64")
        }
    }

    /// Returns nil if the file does not exist.
    private static func read(_ path: String) throws(SealingKeyError) -> String? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .current(path)
        }
        defer { close(descriptor) }
        try checkPermissions(descriptor, path)
        var buffer = [UInt8](repeating: 0, count: maximumFileSize + 1)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw .current(path) }
        guard count <= maximumFileSize else { throw .unusableFile(path, "it has more than \(maximumFileSize) bytes") }
        guard let text = FileText.decode(buffer.prefix(count)) else {
            throw .unusableFile(path, "it is not a text file")
        }
        return text
    }

    /// A key that other users may have read is no secret. Container engines mount secrets with permissions of their
    /// own.
    private static func checkPermissions(_ descriptor: Int32, _ path: String) throws(SealingKeyError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current(path) }
        guard status.st_mode & S_IFMT == S_IFREG, !path.hasPrefix("/run/secrets/") else { return }
        // As root installs secrets for a service: its group may read them, and nobody else.
        let isForAGroup = status.st_uid == 0 && status.st_mode & 0o037 == 0
        guard status.st_mode & 0o077 == 0 || isForAGroup else {
            throw .unusableFile(path, "other users can read or change it. Run chmod 600 \(path)")
        }
    }

    /// Writes a new key to a temporary file and links it into place, so that no process reads a partial key and no
    /// existing key is overwritten.
    private static func make(_ path: String) throws(SealingKeyError) {
        let secret: [UInt8]
        let suffix: String
        do {
            secret = try RandomBytes.make(count: AESGCM.keyLength)
            suffix = Hex.encode(try RandomBytes.make(count: 8))
        } catch {
            throw .unusableFile(path, "\(error)")
        }
        let draft = "\(path).\(suffix)"
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current(path) }
        defer {
            close(descriptor)
            unlink(draft)
        }
        let text = Array((Hex.encode(secret) + "\n").utf8)
        guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else { throw .current(path) }
        guard link(draft, path) == 0 || errno == EEXIST else { throw .current(path) }
    }
}

extension SealingKeyError {
    fileprivate static func current(_ path: String) -> SealingKeyError {
        .unusableFile(path, String(cString: strerror(errno)))
    }
}
