import HTTP2

/// Handles nghttp2's events: answers, closed streams and the state of the connection.
extension PushStreams: HTTP2Events {
    func requestBegan(stream: Int32) -> Int { 0 }

    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        let tag = PushTag(rawValue: tag)
        guard let window = windows.window(of: tag) else { return (0, true) }
        let payload = window.payload(tag.index)
        let sent = Int(window.items[tag.index].bodySent)
        let count = min(buffer.count, payload.count - sent)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[sent..<sent + count]))
        window.items[tag.index].bodySent += Int32(count)
        return (count, sent + count == payload.count)
    }

    // MARK: Answers

    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        liveness.received()
        // ":status" is the only one that always matters; it has three digits.
        guard name.count == 7, name[1] == UInt8(ascii: "s"), value.count == 3 else {
            if windows.recordsUniqueIDs { recordUniqueID(PushTag(rawValue: tag), name, value) }
            return
        }
        let zero = UInt16(UInt8(ascii: "0"))
        let status = (UInt16(value[0]) &- zero) &* 100 &+ (UInt16(value[1]) &- zero) &* 10 &+ (UInt16(value[2]) &- zero)
        if LateTable.has(tag) {
            late[tag]?.result.status = status
        } else {
            let tag = PushTag(rawValue: tag)
            windows.window(of: tag)?.results[tag.index].status = status
        }
    }

    private func recordUniqueID(_ tag: PushTag, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard name.elementsEqual("apns-unique-id".utf8) else { return }
        windows.window(of: tag)?.record(uniqueID: value, of: tag.index)
    }

    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {
        guard LateTable.has(tag) || windows.window(of: PushTag(rawValue: tag)) != nil else { return }
        let room = ErrorResponseBody.maximumLength - bodies[tag, default: []].count
        bodies[tag, default: []].append(contentsOf: bytes.prefix(room))
    }

    func messageEnded(stream: Int32, tag number: Int) {
        if LateTable.has(number) { return resolveLate(number, as: .answered) }
        let tag = PushTag(rawValue: number)
        let index = tag.index
        guard let window = windows.window(of: tag), window.results[index].state == .inFlight else { return }
        window.results[index].state = .answered
        let status = window.results[index].status
        state.answered(status: status)
        if status != 200 { read(bodies.removeValue(forKey: number) ?? [], into: &window.results[index]) }
        tally.answered(number, window.results[index])
        windows.released(tag)?.resume()
    }

    func read(_ body: [UInt8], into result: inout PushResult) {
        let answer = ErrorResponseBody(body)
        result.reason = answer.reason.map(reasons.number(for:)) ?? 0
        result.timestamp = answer.timestamp
        switch result.reaction?.client {
        // A connection that has rejected a push for this reason rejects the next ones too.
        case .reconnect, .renewToken: state.stopAccepting()
        case .slowDown: state.hold(.tokenUpdates)
        case .recall, nil: return
        }
    }

    // MARK: Streams without an answer

    func streamClosed(stream: Int32, tag number: Int, code: HTTP2Code) {
        // Its window may have been returned to its sender with the answer.
        if !bodies.isEmpty { bodies.removeValue(forKey: number) }
        // RFC 9113 §8.7: a refused stream was not processed.
        let isRefused = code == .refusedStream
        let result: PushResult.State = isRefused ? .unsent : .streamReset
        if LateTable.has(number) { return resolveLate(number, as: result) }
        release(PushTag(rawValue: number), as: result, isRefused: isRefused)
    }

    func requestNotSent(stream: Int32) {
        guard let tag = windows.tag(inFlightOn: stream) else { return }
        release(tag, as: .unsent)
    }

    private func release(_ tag: PushTag, as result: PushResult.State, isRefused: Bool = false) {
        guard let window = windows.window(of: tag), window.results[tag.index].state == .inFlight else { return }
        window.results[tag.index].state = result
        if isRefused { state.refused() } else { state.released() }
        windows.released(tag)?.resume()
    }

    // MARK: The connection

    func settingsChanged() {
        guard let session else { return }
        liveness.received()
        state.settingsReceived(maximumStreams: session.peerMaxConcurrentStreams)
        opened()
    }

    /// nghttp2 closes the streams above `lastStream` as refused, so their pushes become unsent.
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {
        onGoAway?()
        receivedGoAway(ErrorResponseBody(debugData).reason ?? "GOAWAY with code \(code.rawValue)")
    }

    func pingAnswered() { liveness.received() }

    func ended(_ error: HTTP2Error) { connectionEnded(error.description) }
}
