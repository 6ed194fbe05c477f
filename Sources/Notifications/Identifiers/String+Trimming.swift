extension String {
    /// Without white space at its ends.
    public var trimmingSpaces: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        var rest = unicodeScalars.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}
