import JSON
import Notifications

extension ContentCompiler {
    mutating func write(_ nodes: [LiquidNode]) {
        for node in nodes {
            switch node {
            case .text(let text):
                // Without its quotes.
                program.pool += JSON.string(text).encoded().dropFirst().dropLast()
            case .output(let output): placeholder(output, .text)
            case .branches(let branches, let otherwise): write(branches, otherwise)
            }
        }
    }

    private mutating func write(_ branches: [LiquidBranch], _ otherwise: [LiquidNode]) {
        var ends: [Int] = []
        for branch in branches {
            endConstant()
            let tests = self.tests(branch.condition)
            patchJumps(tests.then, to: program.steps.count)
            write(branch.nodes)
            endConstant()
            ends.append(program.steps.count)
            program.steps.append(.jump(0))
            patchJumps(tests.otherwise, to: program.steps.count)
        }
        write(otherwise)
        endConstant()
        for end in ends { program.steps[end] = .jump(Int32(program.steps.count)) }
    }

    /// Test steps whose jump targets are still to be set, by the result of the condition.
    private struct PendingJumps {
        var then: [(step: Int, when: Bool)]
        var otherwise: [(step: Int, when: Bool)]
    }

    private mutating func tests(_ condition: LiquidCondition) -> PendingJumps {
        switch condition {
        case .truthy(let operand): return test(operand, nil, .null)
        case .comparison(let left, let comparison, let right): return test(left, comparison, right)
        case .and(let first, let second):
            let first = tests(first)
            patchJumps(first.then, to: program.steps.count)
            let second = tests(second)
            return PendingJumps(then: second.then, otherwise: first.otherwise + second.otherwise)
        case .or(let first, let second):
            let first = tests(first)
            patchJumps(first.otherwise, to: program.steps.count)
            let second = tests(second)
            return PendingJumps(then: first.then + second.then, otherwise: second.otherwise)
        }
    }

    private mutating func test(
        _ left: LiquidOperand, _ comparison: LiquidComparison?, _ right: LiquidOperand
    ) -> PendingJumps {
        let (left, right) = (left.compared(to: right, by: comparison), right.compared(to: left, by: comparison))
        let step = program.steps.count
        program.steps.append(.test(Int32(program.tests.count), then: 0, otherwise: 0))
        program.tests.append(
            ContentProgram.Test(
                left: operand(left), comparison: comparison, right: operand(right),
                asVersions: left.isVersion || right.isVersion))
        return PendingJumps(then: [(step, true)], otherwise: [(step, false)])
    }

    private mutating func patchJumps(_ ways: [(step: Int, when: Bool)], to target: Int) {
        for way in ways {
            guard case .test(let test, let then, let otherwise) = program.steps[way.step] else { continue }
            program.steps[way.step] =
                way.when
                ? .test(test, then: Int32(target), otherwise: otherwise)
                : .test(test, then: then, otherwise: Int32(target))
        }
    }

    // MARK: Placeholders

    mutating func placeholder(_ output: LiquidOutput, _ form: ContentProgram.Placeholder.Form) {
        endConstant()
        let source = operand(output.value)
        let firstFilter = program.filters.count
        for filter in output.filters {
            guard let filter = self.filter(filter) else { continue }
            program.filters.append(filter)
        }
        program.steps.append(.placeholder(Int32(program.placeholders.count)))
        program.placeholders.append(
            ContentProgram.Placeholder(
                source: source, firstFilter: Int32(firstFilter),
                filterCount: Int32(program.filters.count - firstFilter),
                field: output.firstField.map { index(of: $0) } ?? 0, form: form))
        constantStart = program.pool.count
    }

    private mutating func index(of field: Field) -> Int32 {
        switch fields.operand(field) {
        case .column(let index), .attribute(let index), .language(let index): index
        case .text, .number, .bool, .nothing, .empty, .blank: 0
        }
    }

    /// Nil for a filter that needs no step.
    private mutating func filter(_ filter: LiquidFilter) -> ContentProgram.Filter? {
        switch filter {
        case .default(let value): return .default(operand(value))
        case .upcase: return .upcase
        case .downcase: return .downcase
        case .capitalize: return .capitalize
        case .truncate(let length, let ellipsis):
            return .truncate(Int32(length), ellipsis: keep(ellipsis), ellipsisLength: Int32(ellipsis.count))
        case .number(let decimals):
            _ = fields.index(of: .device(.locale))
            return .number(Int32(decimals ?? -1))
        case .date(let format):
            _ = fields.index(of: .device(.timeZone))
            keepNames()
            let first = program.dateParts.count
            for part in format.parts { program.dateParts.append(datePart(part)) }
            return .date(first: Int32(first), count: Int32(format.parts.count))
        case .asNumber: return nil
        }
    }

    private mutating func datePart(_ part: LiquidDateFormat.Part) -> DateFilter.Part {
        switch part {
        case .text(let text): .text(keep(text))
        case .number(let number, let padding): .number(number, padding)
        case .name(let name): .name(name)
        case .meridiem(let isUpper): .meridiem(isUpper: isUpper)
        }
    }

    private mutating func keepNames() {
        guard program.names.isEmpty else { return }
        for name in names.weekdays + names.shortWeekdays + names.months + names.shortMonths {
            program.names.append(keep(name))
        }
    }

    private mutating func operand(_ operand: LiquidOperand) -> ContentProgram.Operand {
        switch operand {
        case .field(let field): fields.operand(field)
        case .text(let text): .text(keep(text))
        case .number(let number): .number(keep(number))
        case .bool(let value): .bool(value)
        case .null: .nothing
        case .empty: .empty
        case .blank: .blank
        }
    }

    /// Appends bytes to the pool that no copy step includes. The constant before them must have ended.
    private mutating func keep(_ text: String) -> Slice {
        let start = program.pool.count
        program.pool += text.utf8
        constantStart = program.pool.count
        return slice(from: start)
    }

    func slice(from start: Int) -> Slice {
        Slice(offset: Int32(start), count: Int32(program.pool.count - start))
    }
}

extension LiquidOperand {
    fileprivate var isVersion: Bool {
        guard case .field(.device(let field)) = self else { return false }
        return field.isVersion
    }

    /// A text that is compared with a field of the device, in the form in which devices have it.
    fileprivate func compared(to other: LiquidOperand, by comparison: LiquidComparison?) -> LiquidOperand {
        guard case .text(let text) = self, case .field(.device(let field)) = other, comparison != .contains else {
            return self
        }
        return .text(field.stored(text) ?? text)
    }
}
