extension JSON {
    /// The largest document that is read, in bytes: large enough for an audience with the most user ids that it may
    /// list. The limits of most routes are lower.
    public static let maximumSize = 1 << 24
    /// The maximum depth of nested objects and arrays. The parser recurses, so this also bounds its stack.
    public static let maximumDepth = 64

    /// Why a text is not JSON, and at which byte.
    public struct SyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
        /// Bytes before the one at fault, from the start of the document.
        public let offset: Int
        /// For the person who wrote the text.
        public let message: Message

        public init(offset: Int, message: Message) {
            self.offset = offset
            self.message = message
        }

        /// The message with the place of the fault.
        public var located: Message { "\(message) (at byte \(offset))" }

        public var description: String { located.description }
    }

    /// Reads one document strictly by RFC 8259: no byte order mark, trailing commas, comments or NaN. Beyond the RFC
    /// it rejects what parsers treat differently: lone surrogates and duplicate keys in an object.
    /// Keys are compared as Swift compares strings: two spellings that are canonically equivalent are one key.
    public init(parsing utf8: [UInt8]) throws(SyntaxError) {
        guard utf8.count <= Self.maximumSize else {
            throw SyntaxError(
                offset: Self.maximumSize,
                message: "the text is \(utf8.count) bytes long; at most \(Self.maximumSize) bytes are allowed")
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: utf8.span)
        } catch {
            throw SyntaxError(offset: error.byteOffsets.lowerBound, message: "the text is not valid UTF-8")
        }
        self = try utf8.withUnsafeBufferPointer { bytes throws(SyntaxError) in
            var parser = JSONParser(bytes)
            return try parser.document()
        }
    }

    /// As above, for a string.
    public init(parsing text: String) throws(SyntaxError) {
        try self.init(parsing: Array(text.utf8))
    }
}
