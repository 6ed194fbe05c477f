import EventLoop
import Glibc

/// The resources that the connections of one loop share: the read buffer and the Date field.
///
/// `@unchecked Sendable`: only its loop's thread uses the buffer, and never across an `await`.
final class LoopResources: @unchecked Sendable {
    /// The maximum number of bytes per read.
    static let readSize = 64 * 1024

    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: LoopResources.readSize, alignment: 16)
    private var second: time_t = 0
    private var text: [UInt8] = []

    deinit { input.deallocate() }

    /// The value of the Date field, updated once per second.
    var date: [UInt8] {
        let now = time(nil)
        if now != second {
            second = now
            text = Array(HTTPDate.text(now).utf8)
        }
        return text
    }
}
