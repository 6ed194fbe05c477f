internal import Crypto
public import EventLoop

/// Up to 1,000 pushes in raw memory that is used again and again: paths, ids, payloads, results.
///
/// It has one owner at a time: the composer until `send(window)`, the connection until that
/// returns. Swift arrays in structs on this path cost a fifth more (retain, release, copies).
///
/// `@unchecked Sendable`: because of the one owner.
public final class PushWindow: @unchecked Sendable {
    public static let maximumCount = 1_000
    /// Apple's limit for the largest payload, in bytes.
    public static let maximumPayload = 5_120
    public static let idLength = 36
    /// Bytes of a unique id that are kept; Apple's is a UUID.
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
        /// Answers that asked for another connection, so far.
        var secondTries: Int32 = 0
        /// Which of the window's headers it goes with.
        var headers: Int32
    }

    public private(set) var count = 0
    /// What pushes go with; most windows have one for all.
    private(set) var headers: [PushHeaders] = []
    /// Nothing of this window may go on the wire at or after this moment: the lease would be over
    /// before the answer.
    public private(set) var mayStartUntil = MonotonicTime(nanoseconds: 0)
    private var isRecalled = false
    let items = UnsafeMutablePointer<Item>.allocate(capacity: PushWindow.maximumCount)
    public let results = UnsafeMutablePointer<PushResult>.allocate(capacity: PushWindow.maximumCount)
    private let ids = UnsafeMutableRawPointer.allocate(
        byteCount: PushWindow.maximumCount * PushWindow.idLength, alignment: 16)
    /// By place, as they come; nil when nobody has asked for them.
    private var uniqueIDs: [Int: String]?
    private var paths = Arena(capacity: PushWindow.maximumCount * 80)
    private var payloads = Arena(capacity: PushWindow.maximumCount * 512)

    public init() {}

    deinit {
        items.deallocate()
        results.deallocate()
        ids.deallocate()
        paths.free()
        payloads.free()
    }

    /// Empties the window for pushes with these headers. Nothing may start before `allow(until:)`.
    ///
    /// `keepsUniqueIDs` is for single pushes that a person looks at: it allocates for each answer.
    public func reset(headers: PushHeaders, keepsUniqueIDs: Bool = false) {
        count = 0
        uniqueIDs = keepsUniqueIDs ? [:] : nil
        paths.count = 0
        payloads.count = 0
        self.headers.removeAll(keepingCapacity: true)
        self.headers.append(headers)
        mayStartUntil = MonotonicTime(nanoseconds: 0)
        isRecalled = false
    }

    /// The pushes that are added from now on go with these headers.
    public func use(_ headers: PushHeaders) {
        self.headers.append(headers)
    }

    /// Lets what is unsent start until then; a renewed lease allows more while the window is sent.
    public func allow(until moment: MonotonicTime) {
        guard !isRecalled else { return }
        mayStartUntil = max(mayStartUntil, moment)
    }

    /// Nothing more of it goes on the wire, whatever is allowed later. What is there is waited for.
    public func recall() {
        isRecalled = true
        mayStartUntil = MonotonicTime(nanoseconds: 0)
    }

    /// Where the next push's id and payload are to be written; `endPush` then adds it. The token
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

    var keepsUniqueIDs: Bool { uniqueIDs != nil }

    /// Apple's key for the push in the console's delivery log ("apns-unique-id"): in answers of the development
    /// environment only, and only when the window was told to keep it.
    public func uniqueID(_ index: Int) -> String? { uniqueIDs?[index] }

    func keep(uniqueID: UnsafeRawBufferPointer, of index: Int) {
        uniqueIDs?[index] = String(decoding: uniqueID.prefix(Self.maximumUniqueID), as: UTF8.self)
    }

    /// Once: what is refused again on a new connection stays refused.
    func mayTryAgain(_ index: Int) -> Bool {
        items[index].secondTries += 1
        return items[index].secondTries == 1
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

/// Bytes one after the other. Growing moves them, so only offsets are kept while it is filled.
private struct Arena {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    var count = 0

    init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    func free() { memory.deallocate() }

    /// Room behind what is there; the caller raises `count` by what it used.
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
