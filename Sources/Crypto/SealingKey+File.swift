import Glibc

extension SealingKey {
    /// Bytes of a key file that are read: a key and a line's end take far less.
    static let maximumFileSize = 1_024

    /// Reads the key from a file, which is made with a new key when there is none. Several processes may do so at
    /// once: one of them makes it, and all get the same.
    public static func load(file path: String) throws(SealingKeyError) -> SealingKey {
        if let text = try read(path) { return try key(text, path) }
        try make(path)
        guard let text = try read(path) else { throw .unusableFile(path, "it is gone again") }
        return try key(text, path)
    }

    private static func key(_ text: String, _ path: String) throws(SealingKeyError) -> SealingKey {
        do {
            return try SealingKey(text: text)
        } catch {
            throw .unusableFile(path, "it does not hold 64 hexadecimal digits")
        }
    }

    /// Nil when there is no such file.
    private static func read(_ path: String) throws(SealingKeyError) -> String? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .current(path)
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: maximumFileSize)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw .current(path) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Written aside and linked into place, so that nobody reads half a key and nobody's key is overwritten.
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
