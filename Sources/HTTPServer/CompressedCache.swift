/// A cache of compressed files, limited in bytes. The least recently used files are evicted first.
struct CompressedCache {
    private struct Entry {
        let tag: String
        let bytes: [UInt8]
        var used: UInt64
    }

    private let maximumBytes: Int
    private(set) var byteCount = 0
    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Returns the compressed file. `tag` is the file's current ETag; an entry for an older version is not returned.
    mutating func find(_ path: String, tag: String) -> [UInt8]? {
        guard let entry = entries[path], entry.tag == tag else { return nil }
        clock += 1
        entries[path]?.used = clock
        return entry.bytes
    }

    mutating func add(_ path: String, tag: String, _ bytes: [UInt8]) {
        guard bytes.count <= maximumBytes else { return }
        remove(path)
        while byteCount + bytes.count > maximumBytes, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            remove(oldest.key)
        }
        clock += 1
        entries[path] = Entry(tag: tag, bytes: bytes, used: clock)
        byteCount += bytes.count
    }

    private mutating func remove(_ path: String) {
        if let entry = entries.removeValue(forKey: path) { byteCount -= entry.bytes.count }
    }
}
