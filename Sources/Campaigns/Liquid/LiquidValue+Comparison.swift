extension LiquidValue {
    /// Liquid's comparisons. Values of different kinds are unequal and in no order; nothing is equal to nothing only.
    ///
    /// `scratch` is memory for the values of a list; the right side must not be in it.
    static func compare(
        _ left: LiquidValue, _ comparison: LiquidComparison, _ right: LiquidValue, asVersions: Bool,
        _ scratch: ScratchBuffer
    ) -> Bool {
        if comparison == .contains { return left.contains(right, scratch) }
        if asVersions, left.isScalar, right.isScalar {
            if let order = VersionText.order(left.bytes, right.bytes) { return satisfies(comparison, order) }
            let isSame = left.bytes.elementsEqual(right.bytes)
            return comparison == .equal && isSame || comparison == .notEqual && !isSame
        }
        switch comparison {
        case .equal: return left.equals(right)
        case .notEqual: return !left.equals(right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return left.order(right).map { satisfies(comparison, $0) } ?? false
        case .contains: return false
        }
    }

    private static func satisfies(_ comparison: LiquidComparison, _ order: Int) -> Bool {
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .contains: false
        }
    }

    private var isScalar: Bool { kind == .text || kind == .number }

    /// `empty` in Liquid: a text, list or object without anything in it.
    var isEmpty: Bool {
        switch kind {
        case .text: bytes.isEmpty
        case .list, .object: JSONElements.isEmpty(bytes)
        case .nothing, .no, .yes, .number: false
        }
    }

    /// `blank` in Liquid: nothing, false, empty, or a text of white space.
    var isBlank: Bool {
        switch kind {
        case .nothing, .no: true
        case .text: String(decoding: bytes, as: UTF8.self).allSatisfy(\.isWhitespace)
        case .list, .object: isEmpty
        case .yes, .number: false
        }
    }

    func equals(_ other: LiquidValue) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .nothing, .no, .yes: return true
        case .number: return NumberText.order(bytes, other.bytes) == 0
        case .text, .list, .object: return bytes.elementsEqual(other.bytes)
        }
    }

    /// Below, at or above 0; nil where there is no order.
    private func order(_ other: LiquidValue) -> Int? {
        guard kind == other.kind else { return nil }
        switch kind {
        case .number: return NumberText.order(bytes, other.bytes)
        case .text:
            for (mine, its) in zip(bytes, other.bytes) where mine != its { return mine < its ? -1 : 1 }
            return bytes.count - other.bytes.count
        case .nothing, .no, .yes, .list, .object: return nil
        }
    }

    /// A text contains a text, a list one of its values.
    private func contains(_ other: LiquidValue, _ scratch: ScratchBuffer) -> Bool {
        guard other.isTruthy else { return false }
        switch kind {
        case .text: return other.kind != .list && other.kind != .object && bytes.contains(bytes: other.bytes)
        case .list: return JSONElements.contains(other, in: bytes, scratch)
        case .nothing, .no, .yes, .number, .object: return false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(bytes part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= count else { return false }
        return (0...count - part.count).contains { start in
            zip(self[start...], part).allSatisfy { $0 == $1 }
        }
    }
}
