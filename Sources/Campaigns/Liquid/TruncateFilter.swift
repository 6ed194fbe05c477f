/// `truncate`: limits the number of characters, including the ellipsis. Characters are what people take for one
/// (extended grapheme clusters): no emoji and no accented letter is cut in two.
enum TruncateFilter {
    static func apply(
        to value: LiquidValue, length: Int, ellipsis: UnsafeRawBufferPointer, ellipsisLength: Int,
        _ scratch: ScratchBuffer
    ) -> LiquidValue {
        guard value.bytes.count > length else { return value }
        // A text with broken UTF-8 is mended first, which happens to none that comes from PostgreSQL.
        guard let cut = cut(value.bytes, length: length, ellipsisLength: ellipsisLength) else {
            return truncateBroken(value, length, ellipsis, ellipsisLength, scratch)
        }
        guard let cut = cut.offset else { return value }
        let output = scratch.reserve(cut + ellipsis.count)
        output.copyMemory(from: value.bytes, count: cut)
        (output + cut).copyMemory(from: ellipsis, count: ellipsis.count)
        return LiquidValue(.text, UnsafeRawBufferPointer(start: output, count: cut + ellipsis.count))
    }

    /// The offset at which to cut the text; nil when it is short enough. Nil for broken UTF-8.
    private static func cut(
        _ bytes: UnsafeRawBufferPointer, length: Int, ellipsisLength: Int
    ) -> (offset: Int?, Void)? {
        guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else { return nil }
        var characters = text.makeCharacterIterator()
        let kept = max(length - ellipsisLength, 0)
        _ = characters.skipForward(by: kept)
        let offset = characters.currentCodeUnitOffset
        _ = characters.skipForward(by: length - kept)
        return (characters.currentCodeUnitOffset < bytes.count ? offset : nil, ())
    }

    private static func truncateBroken(
        _ value: LiquidValue, _ length: Int, _ ellipsis: UnsafeRawBufferPointer, _ ellipsisLength: Int,
        _ scratch: ScratchBuffer
    ) -> LiquidValue {
        let text = String(decoding: value.bytes, as: UTF8.self)
        let isLong = text.count > length
        let kept = Array(text.prefix(isLong ? max(length - ellipsisLength, 0) : length).utf8)
        let end = isLong ? ellipsis : UnsafeRawBufferPointer(start: nil, count: 0)
        let output = scratch.reserve(kept.count + end.count)
        kept.withUnsafeBytes { output.copyMemory(from: $0, count: kept.count) }
        (output + kept.count).copyMemory(from: end, count: end.count)
        return LiquidValue(.text, UnsafeRawBufferPointer(start: output, count: kept.count + end.count))
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer, count: Int) {
        guard let start = bytes.baseAddress else { return }
        copyMemory(from: start, byteCount: count)
    }
}
