extension String {
    public func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    public func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Int {
    /// 1234567 as 1,234,567.
    public var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}
