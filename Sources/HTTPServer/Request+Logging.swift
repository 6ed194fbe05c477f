public import Logging

extension Request {
    /// Fields of a log line about a request; nil if the received bytes were none.
    public static func logFields(of request: Request?, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
        var fields = more
        fields["request"] = "\(request?.id ?? "none")"
        fields["route"] = "\(request?.route ?? "none")"
        if let trace = request?.trace { fields["trace"] = "\(trace)" }
        return fields
    }
}
