extension Socket {
    /// How a race ended. Failures are those since the last end, in their order.
    public struct RaceEnd: Sendable {
        /// The first address that connected; nil if none is left or the task was cancelled. The caller closes the
        /// socket. If the address turns out not to work, the caller reports that to the race and connects again.
        public fileprivate(set) var winner: (socket: Socket, index: Int)?
        public fileprivate(set) var failures: [(address: SocketAddress, error: SystemError)] = []
    }

    private enum RaceEvent: Sendable {
        case connected(Socket, index: Int)
        case failed(SystemError, index: Int)
        case delayPassed
    }

    /// Connects to the first address of the race that accepts; each attempt has `timeout`. All other sockets are closed
    /// when this returns.
    public static func connect(
        with race: inout AddressRace, on loop: EventLoop, timeout: Duration
    ) async -> RaceEnd {
        await withTaskGroup(of: RaceEvent.self) { group in
            /// Starts what is due. Returns whether there is nothing to wait for.
            func startAttempts() -> Bool {
                while !Task.isCancelled {
                    let now = MonotonicTime.now()
                    switch race.next(at: now) {
                    case .start(let index):
                        let address = race.addresses[index]
                        group.addTask(executorPreference: loop) {
                            await attempt(address, index, on: loop, timeout: timeout)
                        }
                    case .wait(until: let moment?):
                        group.addTask(executorPreference: loop) { await delay(moment - now, on: loop) }
                        return false
                    case .wait(until: nil): return false
                    case .end: return true
                    }
                }
                return true
            }

            var end = RaceEnd()
            var isOver = startAttempts()
            while let event = await group.next() {
                switch event {
                case .connected(let socket, let index):
                    guard !isOver else {
                        // It connected while it was given up.
                        socket.close()
                        continue
                    }
                    race.connected(index)
                    end.winner = (socket, index)
                    isOver = true
                case .failed(let error, let index):
                    guard !isOver else { continue }
                    race.failed(index)
                    end.failures.append((race.addresses[index], error))
                    isOver = startAttempts()
                case .delayPassed:
                    guard !isOver else { continue }
                    isOver = startAttempts()
                }
                if isOver { group.cancelAll() }
            }
            return end
        }
    }

    private static func attempt(
        _ address: SocketAddress, _ index: Int, on loop: EventLoop, timeout: Duration
    ) async -> RaceEvent {
        do throws(SystemError) {
            return .connected(try await connect(to: address, on: loop, timeout: timeout), index: index)
        } catch {
            return .failed(error, index: index)
        }
    }

    private static func delay(_ duration: Duration, on loop: EventLoop) async -> RaceEvent {
        // Cancelled: another attempt has won.
        do { try await loop.sleep(for: duration) } catch { return .delayPassed }
        return .delayPassed
    }
}
