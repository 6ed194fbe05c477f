/// A value that holds a secret: neither string interpolation nor `dump` nor a log shows what is inside.
public protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    public var description: String { "\(Self.self)(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
