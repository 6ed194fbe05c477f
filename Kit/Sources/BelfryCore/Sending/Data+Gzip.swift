import Foundation
internal import zlib

extension Data {
    /// The bytes as gzip, RFC 1952; nil if zlib can't.
    func gzipped() -> Data? {
        guard let count = UInt32(exactly: count) else { return nil }
        var stream = z_stream()
        // `deflateInit2`, a macro, which Swift does not see. 16 more bits than the window has ask for gzip instead of
        // zlib's own format.
        let initialized = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard initialized == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var compressed = Data(count: Int(deflateBound(&stream, uLong(count))))
        let room = UInt32(compressed.count)
        let status = withUnsafeBytes { input in
            compressed.withUnsafeMutableBytes { output in
                // zlib does not write to it: its header has no `const`.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: Bytef.self).baseAddress)
                stream.avail_in = count
                stream.next_out = output.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = room
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return compressed.dropLast(Int(stream.avail_out))
    }
}
