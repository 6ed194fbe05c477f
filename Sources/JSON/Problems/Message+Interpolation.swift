extension Message {
    /// Records the pieces of a literal and the values between them.
    public struct StringInterpolation: StringInterpolationProtocol {
        private(set) var pieces = [""]
        private(set) var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount + 1)
            arguments.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            pieces[pieces.endIndex - 1] += literal
        }

        public mutating func appendInterpolation(_ message: Message) {
            append(.message(message))
        }

        public mutating func appendInterpolation(_ text: String) {
            append(.text(text))
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        /// What another program says.
        public mutating func appendInterpolation(verbatim error: any Error) {
            append(.text("\(error)"))
        }

        private mutating func append(_ argument: Argument) {
            arguments.append(argument)
            pieces.append("")
        }
    }
}
