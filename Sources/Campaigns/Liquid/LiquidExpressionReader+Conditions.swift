import JSON

extension LiquidExpressionReader {
    /// Liquid's `and` and `or` bind equally, from the right: `a and b or c` is `a and (b or c)`.
    mutating func condition() throws(LiquidError) -> LiquidCondition {
        guard token.kind != .end else {
            let message: Message = "a condition must follow, like {% if first_name %}"
            throw LiquidError(code: "empty", offset: token.offset, message: message)
        }
        var parts: [(condition: LiquidCondition, isAnd: Bool)] = []
        while true {
            let part = try comparison()
            guard token.kind == .word("and") || token.kind == .word("or") else {
                try expectEnd("a comparison, and, or, or the end must follow")
                return parts.reversed().reduce(part) { rest, part in
                    part.isAnd ? .and(part.condition, rest) : .or(part.condition, rest)
                }
            }
            parts.append((part, token.kind == .word("and")))
            guard parts.count < LiquidTemplate.maximumTerms else {
                throw LiquidError(
                    code: "too-long", offset: token.offset,
                    message: "a condition may have at most \(LiquidTemplate.maximumTerms) comparisons")
            }
            next += 1
        }
    }

    private mutating func comparison() throws(LiquidError) -> LiquidCondition {
        let start = token
        let left = try operand()
        guard let comparison = takeComparison() else {
            if left == .empty || left == .blank { throw misplaced(start) }
            return .truthy(left)
        }
        let rightToken = token
        let right = try operand()
        if comparison != .equal, comparison != .notEqual {
            if left == .empty || left == .blank { throw misplaced(start) }
            if right == .empty || right == .blank { throw misplaced(rightToken) }
        }
        return .comparison(left, comparison, right)
    }

    private func misplaced(_ token: LiquidToken) -> LiquidError {
        LiquidError(
            code: "unexpected", offset: token.offset, message: "\(token.text) can be used only with == and !=")
    }

    private mutating func takeComparison() -> LiquidComparison? {
        let comparison: LiquidComparison? =
            switch token.kind {
            case .word("contains"): .contains
            case .sign("<>"): .notEqual
            case .sign(let sign): LiquidComparison(rawValue: sign)
            case .word, .text, .number, .end: nil
            }
        if comparison != nil { next += 1 }
        return comparison
    }
}
