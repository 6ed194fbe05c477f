/// One variant's payload as constant bytes and placeholders, in the order of output. All members are plain numbers, so
/// that running it retains nothing.
struct ContentProgram: Sendable {
    /// Constant bytes, literals, names.
    var pool: [UInt8] = []
    var steps: [Step] = []
    var placeholders: [Placeholder] = []
    var filters: [Filter] = []
    var tests: [Test] = []
    var dateParts: [DateFilter.Part] = []
    /// The names of days and months; empty where no date is written.
    var names: [Slice] = []

    enum Step {
        case copy(Slice)
        case placeholder(Int32)
        /// Continues at one of two steps.
        case test(Int32, then: Int32, otherwise: Int32)
        case jump(Int32)
        case messageID
    }

    struct Placeholder {
        let source: Operand
        let firstFilter: Int32
        let filterCount: Int32
        /// The field to report if the value is missing.
        let field: Int32
        let form: Form

        enum Form: UInt8 {
            case text
            /// A JSON number.
            case number
            /// A JSON number that is whole and not below 0, as Apple requires for a badge.
            case count
        }
    }

    enum Filter {
        case `default`(Operand)
        case upcase, downcase, capitalize
        case truncate(Int32, ellipsis: Slice, ellipsisLength: Int32)
        case date(first: Int32, count: Int32)
        /// Below 0: as many decimals as the value has.
        case number(Int32)
    }

    struct Test {
        let left: Operand
        /// Nil: whether `left` is truthy.
        let comparison: LiquidComparison?
        let right: Operand
        let asVersions: Bool
    }

    /// Fields are indexes into the content's `needs`.
    enum Operand {
        case column(Int32)
        case attribute(Int32)
        case language(Int32)
        case text(Slice)
        case number(Slice)
        case bool(Bool)
        case nothing, empty, blank
    }
}
