import Foundation
import JSON
import Testing

@Suite struct JSONCodableTests {
    private struct Body: Codable, Equatable {
        var payloadJSON: JSON
    }

    @Test func coderRoundTripSortsMembers() throws {
        let text = #"{"payloadJSON":{"b":[null,true,false,"x",{}],"a":11153971268435968,"c":0.5,"snake_case":-3}}"#

        let body = try JSONDecoder().decode(Body.self, from: Data(text.utf8))

        #expect(
            body.payloadJSON
                == ["a": 11_153_971_268_435_968, "b": [.null, true, false, "x", [:]], "c": 0.5, "snake_case": -3])
        #expect(try JSONDecoder().decode(Body.self, from: JSONEncoder().encode(body)) == body)
    }

    @Test func integersOfSixtyFourBitsAreExact() throws {
        let text = "[18446744073709551615,9223372036854775807,-9223372036854775808]"

        let json = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))

        #expect(String(decoding: json.encoded(), as: UTF8.self) == text)
        #expect(try String(decoding: JSONEncoder().encode(json), as: UTF8.self) == text)
    }

    @Test func keyStrategiesDoNotRenameKeys() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase

        let encoded = try encoder.encode(JSON.object([.init("customKey", 1)]))

        #expect(String(decoding: encoded, as: UTF8.self) == #"{"customKey":1}"#)
    }

    @Test func numberTooLargeForACoderIsAnError() throws {
        let json = try JSON(parsing: "[1e999]")

        #expect(throws: EncodingError.self) { try JSONEncoder().encode(json) }
    }

    @Test func numbersConvertToIntAndDouble() throws {
        func number(_ text: String) throws -> JSON.Number? {
            guard case .number(let number) = try JSON(parsing: text) else { return nil }
            return number
        }

        #expect(try number("11153971268435968")?.int == 11_153_971_268_435_968)
        #expect(try number("9223372036854775807")?.int == .max)
        #expect(try number("9223372036854775808")?.int == nil)
        for (text, value) in [("2.0", 2), ("-0", 0), ("1e3", 1_000), ("3E+2", 300), ("-20e-1", -2), ("0.0", 0)] {
            #expect(try number(text)?.int == value)
        }
        for text in ["2.5", "1e-1", "9223372036854775808", "1e19", "1e999999999999"] {
            #expect(try number(text)?.int == nil)
        }
        #expect(try number("9.223372036854775807e18")?.int == .max)
        #expect(try number("1e3")?.double == 1000)
        #expect(try number("1e999")?.double == nil)
        #expect(JSON.Number(Double.nan) == nil)
        #expect(JSON.Number(-Double.infinity) == nil)
        #expect(JSON.Number(Double.leastNonzeroMagnitude)?.text == "5e-324")
    }
}
