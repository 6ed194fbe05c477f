import JSON

/// Parses the markup between the braces: a placeholder with its filters, or a condition. It throws an error that ends
/// parsing and collects the others.
struct LiquidExpressionReader {
    private let tokens: [LiquidToken]
    var next = 0
    private(set) var errors: [LiquidError] = []

    init(_ markup: Range<Int>, in source: [UInt8]) throws(LiquidError) {
        tokens = try LiquidLexer.tokens(of: markup, in: source)
    }

    var token: LiquidToken { tokens[next] }

    // MARK: Placeholders

    mutating func output() throws(LiquidError) -> LiquidOutput {
        let start = token
        guard start.kind != .end else {
            throw LiquidError(code: "empty", offset: start.offset, message: "the braces are empty; name a variable")
        }
        let value = try operand()
        switch value {
        case .null, .empty, .blank: report("always-empty", start, "\(start.text) is always empty; name a variable")
        case .field, .text, .number, .bool: break
        }
        var filters: [LiquidFilter] = []
        while takeSign("|") {
            let name = token
            if let filter = try filter() {
                if filters.last == .asNumber { report("bad-order", name, "as_number must be the last filter") }
                filters.append(filter)
            }
        }
        try expectEnd("| and a filter, or the end, must follow")
        checkNumber(value, filters, start)
        return LiquidOutput(value: value, filters: filters, offset: start.offset)
    }

    /// Nil when it has reported an error.
    private mutating func filter() throws(LiquidError) -> LiquidFilter? {
        let start = token
        guard case .word(let name) = start.kind else {
            throw unexpected("the name of a filter must follow |")
        }
        next += 1
        var arguments: [LiquidOperand] = []
        if takeSign(":") {
            repeat {
                if case .word(let word) = token.kind, tokens[next + 1].kind == .sign(":") {
                    throw unexpected("named arguments like \(word): are not supported")
                }
                arguments.append(try operand())
            } while takeSign(",")
        }
        do throws(LiquidFilter.Fault) {
            return try LiquidFilter.make(name, arguments)
        } catch {
            report(error.code, start, error.message)
            return nil
        }
    }

    private mutating func checkNumber(_ value: LiquidOperand, _ filters: [LiquidFilter], _ start: LiquidToken) {
        guard filters.last == .asNumber else { return }
        let isPlain = filters.dropLast().allSatisfy { if case .default = $0 { true } else { false } }
        guard case .field = value, isPlain else {
            return report("bad-order", start, "as_number must follow a variable, with only default between them")
        }
    }

    // MARK: Operands

    mutating func operand() throws(LiquidError) -> LiquidOperand {
        let start = token
        switch start.kind {
        case .text(let text):
            next += 1
            return .text(text)
        case .number(let number):
            next += 1
            return .number(number)
        case .word(let word):
            next += 1
            switch word {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "nil", "null": return .null
            case "empty": return .empty
            case "blank": return .blank
            case _ where LiquidOperand.keywords.contains(word):
                next -= 1
                throw unexpected("expected a variable, a text in quotes or a number")
            default:
                let field = try field(word, at: start)
                if let meant = LiquidOperand.misspelled[word], field == .attribute([word]) {
                    report(
                        "misspelled-word", start,
                        "\(word) is not a value; write \(meant), or \"\(word)\" in quotes if the text is meant")
                }
                return .field(field)
            }
        case .sign, .end: throw unexpected("expected a variable, a text in quotes or a number")
        }
    }

    private mutating func field(_ first: String, at start: LiquidToken) throws(LiquidError) -> Field {
        var path: [String] = []
        while true {
            if takeSign(".") {
                guard case .word(let name) = token.kind else { throw unexpected("a name must follow the dot") }
                next += 1
                path.append(name)
            } else if takeSign("[") {
                guard case .text(let name) = token.kind else {
                    throw unexpected("a name in quotes must follow [; elements of lists can't be used")
                }
                next += 1
                guard takeSign("]") else { throw unexpected("] must follow") }
                path.append(name)
            } else {
                break
            }
        }
        if path.count >= Field.maximumDepth {
            report("too-deep", start, "a variable must have at most \(Field.maximumDepth) names")
        }
        switch Field(name: first) {
        case nil:
            if path.isEmpty {
                report("unexpected", start, "attributes must be followed by a name, like attributes.first_name")
            }
            return .attribute(path.isEmpty ? [first] : path)
        case .device(let field):
            if !path.isEmpty {
                report(
                    "unexpected", start,
                    "\(first) is a field of the device and has no members; use attributes.\(first) for an "
                        + "attribute of that name")
            }
            return .device(field)
        case .attribute: return .attribute([first] + path)
        }
    }

    // MARK: Tokens

    mutating func takeSign(_ sign: String) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        next += 1
        return true
    }

    func expectEnd(_ wanted: Message) throws(LiquidError) {
        guard token.kind == .end else { throw unexpected(wanted) }
    }

    func unexpected(_ wanted: Message) -> LiquidError {
        let hint: Message = token.kind == .sign("=") ? Spelling.suggestion("==") : ""
        return LiquidError(
            code: "unexpected", offset: token.offset, message: "unexpected \(token.text): \(wanted)\(hint)")
    }

    mutating func report(_ code: String, _ token: LiquidToken, _ message: Message) {
        errors.append(LiquidError(code: code, offset: token.offset, message: message))
    }
}
