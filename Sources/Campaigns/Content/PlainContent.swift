public import JSON
import Notifications

/// Content that is sent as it stands, because no template is.
public enum PlainContent {
    /// Holes in its texts: everybody would read "Hi {{ first_name }}".
    public static func warnings(in json: JSON) -> [Problem] {
        var warnings: [Problem] = []
        ContentText.visit(json, at: "") { path, _ in warnings.append(notFilled(path)) }
        return warnings
    }

    static func notFilled(_ path: String) -> Problem {
        .warning(
            path, "liquid-not-filled", "is sent as it stands: Belfry fills in the texts of a template's payload only")
    }
}
