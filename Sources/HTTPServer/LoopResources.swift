import EventLoop
import Glibc

/// What the connections of one loop share: the memory they read into, and the Date field.
///
/// `@unchecked Sendable`: a raw window that only its loop's thread touches, and never across an
/// `await`.
final class LoopResources: @unchecked Sendable {
    /// Bytes taken from a socket at once.
    static let readSize = 64 * 1024

    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: LoopResources.readSize, alignment: 16)
    private var second: time_t = 0
    private var text: [UInt8] = []

    deinit { input.deallocate() }

    /// The Date field's value, made anew once a second.
    var date: [UInt8] {
        let now = time(nil)
        if now != second {
            second = now
            text = Array(HTTPDate.text(now).utf8)
        }
        return text
    }
}
