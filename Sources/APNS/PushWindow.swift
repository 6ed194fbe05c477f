internal import Crypto
public import EventLoop

/// Up to 1,000 pushes in reusable raw memory: paths, ids, payloads, results.
///
/// It has one owner at a time: the composer until `send(window)`, the connection until that
/// returns. Swift arrays in structs on this path cost a fifth more (retain, release, copies).
///
/// `@unchecked Sendable`: because of the one owner.
public final class PushWindow: @unchecked Sendable {
    public static let maximumCount = 1_000
    /// Apple's limit for the largest payload, in bytes.
    public static let maximumPayload = 5_120
    /// Bytes of payloads in a window that is full. A thousand short payloads are fewer.
    static let payloadsWhenFull = 2 << 20
    public static let idLength = 36
    /// Bytes of a unique id that are stored; Apple's is a UUID.
    static let maximumUniqueID = 100
    private static let pathPrefix: StaticString = "/3/device/"
    /// 200 bytes of token in hex behind the prefix.
    private static let maximumPath = 10 + 400

    struct Item {
        var path: Int
        var pathLength: Int
        var payload: Int
        var payloadLength: Int
        var stream: Int32 = 0
        var bodySent: Int32 = 0
        /// Answers that required another connection, so far.
        var retries: Int32 = 0
        /// The index of its headers in the window's `headers`.
        var headers: Int32
    }

    public private(set) var count = 0
    /// The headers of the pushes; most windows have one for all.
    private(set) var headers: [PushHeaders] = []
    /// No push of this window may be sent at or after this moment: the lease would end before the answer.
    public private(set) var startDeadline = MonotonicTime(nanoseconds: 0)
    private var isRevoked = false
    /// Takes pushes whose answers are late; nil: the window waits for all.
    private(set) var late: LatePushes?
    /// Tells this use of the window from others, for `late`.
    public private(set) var number = 0
    let items = UnsafeMutablePointer<Item>.allocate(capacity: PushWindow.maximumCount)
    public let results = UnsafeMutablePointer<PushResult>.allocate(capacity: PushWindow.maximumCount)
    private let ids = UnsafeMutableRawPointer.allocate(
        byteCount: PushWindow.maximumCount * PushWindow.idLength, alignment: 16)
    /// By index; nil unless unique ids are recorded.
    private var uniqueIDs: [Int: String]?
    private var paths = Arena(capacity: PushWindow.maximumCount * 80)
    private var payloads = Arena(capacity: PushWindow.payloadsWhenFull / 4)

    public init() {}

    deinit {
        items.deallocate()
        results.deallocate()
        ids.deallocate()
        paths.free()
        payloads.free()
    }

    /// Whether another push should go into the next window: it has the maximum number, or their payloads need much
    /// memory.
    public var isFull: Bool {
        count == Self.maximumCount || payloads.count + Self.maximumPayload > Self.payloadsWhenFull
    }

    /// Empties the window for pushes with these headers. Nothing may start before `allow(until:)`.
    ///
    /// `recordsUniqueIDs` is for single pushes that a person examines: it allocates for each answer. With `late`, the
    /// window is returned when nearly all pushes are answered; the others have the state `.late`, and `number` in their
    /// ids.
    public func reset(
        headers: PushHeaders, recordsUniqueIDs: Bool = false, late: LatePushes? = nil, number: Int = 0
    ) {
        self.late = late
        self.number = number
        count = 0
        uniqueIDs = recordsUniqueIDs ? [:] : nil
        paths.count = 0
        payloads.count = 0
        self.headers.removeAll(keepingCapacity: true)
        self.headers.append(headers)
        startDeadline = MonotonicTime(nanoseconds: 0)
        isRevoked = false
    }

    /// Sets the headers of the pushes that are added from now on.
    public func setHeaders(_ headers: PushHeaders) {
        self.headers.append(headers)
    }

    /// Lets unsent pushes start until then; a renewed lease extends it while the window is sent.
    public func allow(until moment: MonotonicTime) {
        guard !isRevoked else { return }
        startDeadline = max(startDeadline, moment)
    }

    /// Sends no more pushes of this window, whatever is allowed later. Pushes in flight are still waited for.
    public func revoke() {
        isRevoked = true
        startDeadline = MonotonicTime(nanoseconds: 0)
    }

    /// Returns the memory for the next push's id and payload; `endPush` then adds it. The token
    /// has 1 to 200 bytes.
    public func beginPush(
        token: UnsafeRawBufferPointer
    ) -> (id: UnsafeMutableRawBufferPointer, payload: UnsafeMutableRawBufferPointer) {
        precondition(count < Self.maximumCount && !headers.isEmpty, "the window is full, or has no headers")
        let path = paths.reserve(Self.maximumPath)
        let prefix = UnsafeRawBufferPointer(start: Self.pathPrefix.utf8Start, count: Self.pathPrefix.utf8CodeUnitCount)
        path.copyMemory(from: prefix)
        Hex.encode(
            token, into: UnsafeMutableRawBufferPointer(rebasing: path[prefix.count..<prefix.count + 2 * token.count]))
        items[count] = Item(
            path: paths.count, pathLength: prefix.count + 2 * token.count, payload: payloads.count, payloadLength: 0,
            headers: Int32(headers.count - 1))
        return (
            UnsafeMutableRawBufferPointer(start: ids + count * Self.idLength, count: Self.idLength),
            payloads.reserve(Self.maximumPayload)
        )
    }

    public func endPush(payloadLength: Int) {
        items[count].payloadLength = payloadLength
        paths.count += items[count].pathLength
        payloads.count += payloadLength
        results[count] = PushResult()
        count += 1
    }

    var recordsUniqueIDs: Bool { uniqueIDs != nil }

    /// The push's id in the delivery log of Apple's console ("apns-unique-id"): only in answers of the development
    /// environment, and only if the window records it.
    public func uniqueID(_ index: Int) -> String? { uniqueIDs?[index] }

    func record(uniqueID: UnsafeRawBufferPointer, of index: Int) {
        uniqueIDs?[index] = String(decoding: uniqueID.prefix(Self.maximumUniqueID), as: UTF8.self)
    }

    /// True once per push: a push that is rejected again on a new connection stays rejected.
    func mayRetry(_ index: Int) -> Bool {
        items[index].retries += 1
        return items[index].retries == 1
    }

    /// The results that are rejections.
    public var rejections: [PushResult] {
        UnsafeBufferPointer(start: results, count: count).filter(\.isRejected)
    }

    func path(_ index: Int) -> UnsafeRawBufferPointer {
        paths.bytes(items[index].path, items[index].pathLength)
    }

    func id(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: ids + index * Self.idLength, count: Self.idLength)
    }

    func payload(_ index: Int) -> UnsafeRawBufferPointer {
        payloads.bytes(items[index].payload, items[index].payloadLength)
    }
}

/// A growing buffer. Growing moves the bytes, so only offsets are stored while it is filled.
private struct Arena {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    var count = 0

    init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    func free() { memory.deallocate() }

    /// Returns free memory at the end; the caller increases `count` by what it used.
    mutating func reserve(_ room: Int) -> UnsafeMutableRawBufferPointer {
        if count + room > capacity {
            capacity = max(capacity * 2, count + room)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: memory, byteCount: count)
            memory.deallocate()
            memory = larger
        }
        return UnsafeMutableRawBufferPointer(start: memory + count, count: room)
    }

    func bytes(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + offset, count: count)
    }
}
