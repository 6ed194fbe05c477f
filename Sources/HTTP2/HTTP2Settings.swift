internal import CNGHTTP2

/// The values that one side sends in SETTINGS (RFC 9113 §6.5.2). Nil leaves the protocol's default.
public struct HTTP2Settings: Equatable, Sendable {
    public var headerTableSize: UInt32?
    public var maxConcurrentStreams: UInt32?
    public var initialWindowSize: UInt32?
    public var maxFrameSize: UInt32?
    public var maxHeaderListSize: UInt32?
    public var enablePush: Bool?

    public init(
        headerTableSize: UInt32? = nil, maxConcurrentStreams: UInt32? = nil, initialWindowSize: UInt32? = nil,
        maxFrameSize: UInt32? = nil, maxHeaderListSize: UInt32? = nil, enablePush: Bool? = nil
    ) {
        self.headerTableSize = headerTableSize
        self.maxConcurrentStreams = maxConcurrentStreams
        self.initialWindowSize = initialWindowSize
        self.maxFrameSize = maxFrameSize
        self.maxHeaderListSize = maxHeaderListSize
        self.enablePush = enablePush
    }

    var entries: [nghttp2_settings_entry] {
        let values: [(nghttp2_settings_id, UInt32?)] = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, headerTableSize),
            (NGHTTP2_SETTINGS_ENABLE_PUSH, enablePush.map { $0 ? 1 : 0 }),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, maxConcurrentStreams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, maxFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, maxHeaderListSize),
        ]
        return values.compactMap { id, value in
            value.map { nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: $0) }
        }
    }
}
