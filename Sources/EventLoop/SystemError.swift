import Glibc

/// A system call that failed: which one, and the kernel's reason.
public struct SystemError: Error, Hashable, CustomStringConvertible {
    public let operation: String
    /// The `errno` of the failure.
    public let code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Takes the reason from `errno`, so it must be made right after the call that failed. The
    /// words are put together afterwards, since that may call the C library again.
    static func current(_ operation: @autoclosure () -> String) -> SystemError {
        let code = errno
        return SystemError(operation: operation(), code: code)
    }

    public static func timedOut(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ETIMEDOUT)
    }

    public static func cancelled(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ECANCELED)
    }

    public var description: String {
        "\(operation): \(String(cString: strerror(code)))"
    }
}
