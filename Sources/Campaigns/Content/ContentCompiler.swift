import JSON
import Notifications

/// Compiles a payload whose strings may contain Liquid into a program.
struct ContentCompiler {
    var program = ContentProgram()
    var fields: ContentFields
    /// The start of the constant bytes that no step copies yet.
    var constantStart = 0
    let names: LiquidDateNames

    /// `names` are those of the variant's language. `fields` are shared by all variants.
    static func compile(
        _ payload: JSON, messageIDKey: String, names: LiquidDateNames, fields: inout ContentFields
    ) throws(Problems) -> ContentProgram {
        var compiler = ContentCompiler(fields: fields, names: names)
        try compiler.payload(payload, messageIDKey)
        fields = compiler.fields
        return compiler.program
    }

    /// The same for the bytes of an object without Liquid.
    static func constant(_ payload: [UInt8], messageIDKey: String) -> ContentProgram {
        var compiler = ContentCompiler(fields: ContentFields(), names: .english)
        compiler.program.pool = payload
        compiler.endWithMessageID(messageIDKey)
        return compiler.program
    }

    /// One placeholder and nothing else, not even quotes.
    static func compile(
        placeholder: LiquidOutput, names: LiquidDateNames, fields: inout ContentFields
    ) -> ContentProgram {
        var compiler = ContentCompiler(fields: fields, names: names)
        compiler.placeholder(placeholder, placeholder.isNumber ? .number : .text)
        fields = compiler.fields
        return compiler.program
    }

    private init(fields: ContentFields, names: LiquidDateNames) {
        self.fields = fields
        self.names = names
    }

    // MARK: JSON

    private mutating func payload(_ json: JSON, _ messageIDKey: String) throws(Problems) {
        let problems = ContentText.problems(in: json, at: "")
        guard problems.isEmpty else { throw Problems(problems) }
        guard case .object = json else {
            throw Problems([Problem(path: "", code: "wrong-type", message: "must be an object")])
        }
        write(json, at: "")
        endWithMessageID(messageIDKey)
    }

    /// The id is the last member, so that content without placeholders is one copy followed by the id.
    private mutating func endWithMessageID(_ key: String) {
        let isEmpty = program.pool.count - constantStart == 2 && program.steps.isEmpty
        program.pool.removeLast()
        if !isEmpty { program.pool.append(UInt8(ascii: ",")) }
        JSON.string(key).write(into: &program.pool)
        append(":\"")
        endConstant()
        program.steps.append(.messageID)
        append("\"}")
        endConstant()
    }

    private mutating func write(_ json: JSON, at path: String) {
        switch json {
        case .string(let text) where LiquidTemplate.isLiquid(text): liquid(text, at: path)
        // Apple's numbers in their usual spelling: a badge 3.0 is 3. The app's own numbers stay as they are written.
        case .number(let number) where Self.isApples(path): JSON.number(number.canonical).write(into: &program.pool)
        case .null, .bool, .number, .string: json.write(into: &program.pool)
        case .array(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { append(",") }
                write(element, at: ProblemPath.element(index, of: path))
            }
            append("]")
        case .object(let members):
            append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { append(",") }
                JSON.string(member.key).write(into: &program.pool)
                append(":")
                write(member.value, at: ProblemPath.member(member.key, of: path))
            }
            append("}")
        }
    }

    private static func isApples(_ path: String) -> Bool {
        path.hasPrefix("aps.") && !path.hasPrefix("aps.content-state") && !path.hasPrefix("aps.attributes.")
    }

    private mutating func append(_ text: StaticString) {
        program.pool.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The text was checked before.
    private mutating func liquid(_ text: String, at path: String) {
        guard let template = try? LiquidTemplate(parsing: text) else { return }
        if let output = template.onlyOutput, output.isNumber {
            placeholder(output, path == ContentText.badgePath ? .count : .number)
        } else {
            append("\"")
            write(template.nodes)
            append("\"")
        }
    }

    mutating func endConstant() {
        guard program.pool.count > constantStart else { return }
        program.steps.append(.copy(slice(from: constantStart)))
        constantStart = program.pool.count
    }
}
