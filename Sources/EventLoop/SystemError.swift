import Glibc

/// A failed system call and its `errno`.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    public let operation: String
    /// The `errno` of the failure.
    public let code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Reads `errno`, so it must be called directly after the failed call. `operation` is evaluated afterwards, because
    /// it may call the C library.
    public static func current(_ operation: @autoclosure () -> String) -> SystemError {
        let code = errno
        return SystemError(operation: operation(), code: code)
    }

    /// Why the last call failed, in the C library's words. It must be read directly after that call.
    public static var lastReason: String { String(cString: strerror(errno)) }

    public static func timedOut(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ETIMEDOUT)
    }

    public static func cancelled(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ECANCELED)
    }

    /// Whether the process or the system has no file descriptor left. The same call may succeed later.
    public var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }

    public var description: String {
        "\(operation): \(String(cString: strerror(code)))"
    }
}
