public import JSON
import Notifications

/// A payload, which is sent unchanged.
public enum PlainContent {
    /// A warning for each text with placeholders: recipients would read "Hi {{ first_name }}".
    public static func warnings(in json: JSON) -> [Problem] {
        var warnings: [Problem] = []
        ContentText.visit(json, at: "") { path, _ in warnings.append(notRendered(path)) }
        return warnings
    }

    static func notRendered(_ path: String) -> Problem {
        .warning(
            path, "liquid-not-rendered",
            "is sent unchanged; Belfry renders Liquid only in `content` and in templates")
    }
}
