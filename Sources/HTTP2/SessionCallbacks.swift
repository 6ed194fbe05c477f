internal import CNGHTTP2

/// nghttp2's C callbacks. Each finds the Swift session and forwards the call.
enum SessionCallbacks {
    /// Creates an nghttp2 session. The caller must set its user data before use.
    static func makeSession(role: HTTP2Session.Role) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            owner(user).frameReceived(frame)
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            owner(user).beginHeaders(frame)
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameLength, value, valueLength, _, user in
            guard let frame else { return 0 }
            owner(user).header(
                stream: frame.pointee.hd.stream_id,
                name: UnsafeRawBufferPointer(start: name, count: nameLength),
                value: UnsafeRawBufferPointer(start: value, count: valueLength))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
            owner(user).data(stream: stream, bytes: UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
            owner(user).streamClosed(stream, code: code)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, user in
            guard let frame else { return 0 }
            owner(user).frameNotSent(frame)
            return 0
        }
        // Without priorities closed streams are not needed, and would occupy memory.
        nghttp2_option_set_no_closed_streams(options, 1)
        var session: OpaquePointer?
        let status =
            role == .client
            ? nghttp2_session_client_new2(&session, callbacks, nil, options)
            : nghttp2_session_server_new2(&session, callbacks, nil, options)
        return status == 0 ? session : nil
    }

    /// Requests a body's bytes from the session's owner.
    static var bodyProvider: nghttp2_data_provider {
        nghttp2_data_provider(source: nghttp2_data_source(ptr: nil)) { _, stream, buffer, length, flags, _, user in
            let (count, isEnd) = owner(user).body(
                stream: stream, into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            if isEnd { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return count
        }
    }
}

/// The Swift session owns nghttp2's session, so it exists during every callback.
private func owner(_ user: UnsafeMutableRawPointer?) -> HTTP2Session {
    guard let user else { preconditionFailure("nghttp2 called without its session") }
    return Unmanaged<HTTP2Session>.fromOpaque(user).takeUnretainedValue()
}
