/// A part of Belfry that reads bytes from strangers, with a rule that must hold for any input.
///
/// libFuzzer searches for inputs that break the rule (`make fuzz`), and `FuzzTests` checks the stored inputs in each
/// `make test`. Both call `check`.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// HTTP requests, with their bodies, chunks and trailers.
    case requests
    /// Templates with Liquid, and the values that they render.
    case templates
    /// Device files, as CSV and as NDJSON.
    case deviceFiles = "device-files"
    /// JSON documents and registrations.
    case json
    /// Percent-encoding and queries.
    case queries
    /// Values of header fields.
    case headers

    /// Throws a `Disagreement` if the input breaks the rule.
    public func check(_ input: [UInt8]) throws {
        switch self {
        case .requests: try RequestTarget.check(input)
        case .templates: try TemplateTarget.check(input)
        case .deviceFiles: try DeviceFileTarget.check(input)
        case .json: try JSONTarget.check(input)
        case .queries: try QueryTarget.check(input)
        case .headers: try HeaderTarget.check(input)
        }
    }
}

/// An input broke the rule of its target.
public struct Disagreement: Error, CustomStringConvertible {
    public let description: String

    /// Throws unless the condition holds.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Disagreement) {
        guard !condition else { return }
        throw Disagreement(description: description())
    }
}
