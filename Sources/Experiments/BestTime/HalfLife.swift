import Glibc

/// How much less the past counts with time.
public enum HalfLife {
    /// What numbers are multiplied by after `days`.
    public static func factor(_ halfLife: Float, days: Float) -> Float { exp2(-days / halfLife) }
}
