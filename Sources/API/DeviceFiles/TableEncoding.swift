import Glibc

/// Encodings whose tables the C library has (iconv). None of them has a state between two characters.
enum TableEncoding {
    /// No byte of these encodings becomes more bytes of UTF-8.
    private static let growth = 4
    private static let longestCharacter = 4

    /// Some systems install the tables by a package of its own.
    static func isInstalled(_ name: String) -> Bool {
        guard let converter = open(name) else { return false }
        iconv_close(converter)
        return true
    }

    /// The text of `bytes` as UTF-8, with `invalid` for each byte that begins no character, and the bytes at the end
    /// that may begin one.
    static func decode(_ bytes: [UInt8], as name: String, invalid: UInt8) -> (text: [UInt8], rest: [UInt8]) {
        guard let converter = open(name) else { return (bytes.map { $0 < 0x80 ? $0 : invalid }, []) }
        defer { iconv_close(converter) }
        // iconv asks for a mutable pointer and does not write through it.
        var input = bytes
        var left = input.count
        let size = growth * input.count
        let text = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            input.withUnsafeMutableBytes { input in
                var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var room = size
                while left > 0 {
                    errno = 0
                    if iconv(converter, &source, &left, &target, &room) != -1 { break }
                    // Half a character: the next piece has the rest.
                    if errno == EINVAL, left < longestCharacter { break }
                    guard left > 0, room > 0 else { break }
                    target?.pointee = CChar(bitPattern: invalid)
                    (source, target) = (source?.advanced(by: 1), target?.advanced(by: 1))
                    (left, room) = (left - 1, room - 1)
                }
                count = size - room
            }
        }
        return (text, Array(bytes.suffix(left)))
    }

    private static func open(_ name: String) -> iconv_t? {
        guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else { return nil }
        return converter
    }
}
