import JSON
import Testing

struct JSONLinesTests {
    @Test func objectsAndLongListsHaveALinePerMember() throws {
        let long = Array(repeating: "\"0123456789\"", count: 5)
        let json = try JSON(parsing: #"{"a":{"b":["x",1],"c":{}},"d":[\#(long.joined(separator: ","))],"e":"é\n"}"#)

        let lines = json.lines(indent: "  ")

        #expect(
            lines == """
                {
                    "a": {
                      "b": ["x",1],
                      "c": {}
                    },
                    "d": [
                      \(long.joined(separator: ",\n      "))
                    ],
                    "e": "é\\n"
                  }
                """)
        #expect(try JSON(parsing: lines) == json)
    }
}
