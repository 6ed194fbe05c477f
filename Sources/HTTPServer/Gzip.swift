import CZlib

enum Gzip {
    /// zlib's default compromise between speed and size.
    static let level: Int32 = 6

    struct Failed: Error { let code: Int32 }

    static func compress(_ bytes: [UInt8]) throws(Failed) -> [UInt8] {
        var stream = z_stream()
        let status = belfry_gzip_init(&stream, level)
        guard status == Z_OK else { throw Failed(code: status) }
        defer { deflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        // zlib asks for a mutable pointer and does not write through it.
        var input = bytes
        let end = input.withUnsafeMutableBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard end == Z_STREAM_END else { throw Failed(code: end) }
        result.removeLast(Int(stream.avail_out))
        return result
    }
}
