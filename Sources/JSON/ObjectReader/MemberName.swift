/// The name of an object's member: a `String`, or a case of an enum that lists the known names.
public protocol MemberName {
    var memberName: String { get }
}

extension MemberName where Self: RawRepresentable<String> {
    public var memberName: String { rawValue }
}

extension String: MemberName {
    public var memberName: String { self }
}
