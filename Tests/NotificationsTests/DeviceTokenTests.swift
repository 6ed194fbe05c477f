import JSON
import Notifications
import Testing

@Suite struct DeviceTokenTests {
    private func code(_ hex: String) -> String? {
        do throws(InvalidValue) {
            _ = try DeviceToken(hex: hex)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func lengthIsNotFixedButBounded() throws {
        #expect(try DeviceToken(hex: "0f").bytes == [0x0F])
        #expect(try DeviceToken(hex: String(repeating: "ab", count: 200)).bytes.count == 200)
        #expect(code(String(repeating: "ab", count: 201)) == "too-long")
        #expect(code(String(repeating: "ab", count: 200) + "a") == "too-long")
        #expect(code("") == "empty")
        #expect(throws: InvalidValue.self) { try DeviceToken(bytes: []) }
        #expect(throws: InvalidValue.self) { try DeviceToken(bytes: Array(repeating: 1, count: 201)) }
    }

    @Test func hexIsReadInAnyCaseAndWrittenInLowerCase() throws {
        #expect(try DeviceToken(hex: "00FFaBcD09").hex == "00ffabcd09")
        #expect(try DeviceToken(hex: "ABCD") == DeviceToken(hex: "abcd"))
        let all = Array(UInt8.min...127) + Array(200...UInt8.max)
        #expect(try DeviceToken(hex: DeviceToken(bytes: all).hex).bytes == all)
    }

    @Test(arguments: [
        ("a", "odd-digits"), ("abc", "odd-digits"), ("(null)", "not-hexadecimal"), ("<abcd 1234>", "not-hexadecimal"),
        ("ab cd", "not-hexadecimal"), (" abcd", "not-hexadecimal"), ("abcd\n", "not-hexadecimal"),
        ("0x12", "not-hexadecimal"), ("ab-cd", "not-hexadecimal"), ("gg", "not-hexadecimal"),
        ("ａｂ", "not-hexadecimal"), ("٠١", "not-hexadecimal"), ("{length = 32, bytes = 0xab}", "not-hexadecimal"),
    ])
    func whatIsNotHexIsRefusedAndNotStripped(_ hex: String, _ expected: String) {
        #expect(code(hex) == expected)
    }

    @Test func tokenShowsItselfNowhere() throws {
        let token = try DeviceToken(bytes: [0xDE, 0xAD, 0xBE, 0xEF])
        var dumped = ""
        dump(token, to: &dumped)
        dump(["key": [token]], to: &dumped)

        for text in [
            "\(token)", String(describing: token), String(reflecting: token), "\([token])", "\(Optional(token) as Any)",
            dumped,
        ] {
            #expect(!text.contains("dead") && !text.contains("222") && !text.contains("173"), "\(text)")
        }
    }

    @Test func errorDoesNotRepeatTheToken() {
        let error = #expect(throws: InvalidValue.self) { try DeviceToken(hex: "deadbeefzz") }

        #expect(error.map { "\($0) \(String(reflecting: $0))".contains("deadbeef") } == false)
    }
}
