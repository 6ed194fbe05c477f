/// A value that contains a secret. String interpolation, `dump` and logs do not show its contents.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    public var description: String { "\(Self.self)(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
