import Testing

@testable import APNSSimulator

struct PayloadScanTests {
    private func scan(_ text: String, wanted: String = "") -> PayloadScan? {
        Array(text.utf8).withUnsafeBytes { PayloadScan($0, wantedKey: Array(wanted.utf8)) }
    }

    @Test(arguments: [
        #"{"aps":{"badge":-1.5e+3,"x":[1,{"y":null}],"é":"\u00e9\n"},"t":true,"f":false}"#, "{}", " { } ",
    ])
    func validJSONIsAccepted(text: String) { #expect(scan(text) != nil) }

    @Test(arguments: [
        "", "{", "}", "{,}", #"{"a"}"#, #"{"a":1,}"#, #"{"a":01}"#, #"{"a":+1}"#, #"{"a":1.}"#, #"{"a":"\x"}"#,
        #"{"a":"\u12"}"#, #"{"a":tru}"#, #"{"a":[1,]}"#, #"{"a":1} {}"#, #"{'a':1}"#, #"{"a":-}"#,
    ])
    func invalidJSONIsRejected(text: String) { #expect(scan(text) == nil) }

    @Test func depthHasALimit() {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        #expect(scan(nested(PayloadScan.maximumDepth)) != nil)
        #expect(scan(nested(PayloadScan.maximumDepth + 1)) == nil)
    }

    @Test func wantedStringIsFoundAtTheTopOnly() throws {
        let text = #"{"aps":{"i":"no"},"i" : "yes","j":{"i":"no"}}"#
        let range = try #require(scan(text, wanted: "i")?.wantedString)

        #expect(Array(text.utf8)[range].elementsEqual("yes".utf8))
        #expect(scan(#"{"i":5}"#, wanted: "i")?.wantedString == nil)
    }

    @Test func membersAreFoundAtTheirLevel() {
        let text =
            Array(
                #"{"badge":"1","aps":{"badge":2,"x":{"badge":3},"alert":{"title":{"loc-key":"k"},"body":"b"},"#.utf8)
            + Array(#""sound":{"volume":5e-1}}}"#.utf8)
        text.withUnsafeBytes { bytes in
            let scan = PayloadScan(bytes)

            #expect(scan?.number(.top, "badge") == nil && scan?[.top, "badge"]?.kind == .string)
            #expect(scan?.number(.aps, "badge") == 2)
            #expect(scan?.number(.sound, "volume") == 0.5)
            #expect(scan?.hasText(.title, "loc-key") == true)
            #expect(scan?.hasText(.alert, "body") == true)
            #expect(scan?.hasRepeatedKey == false)
        }
    }

    @Test func escapesAreDecoded() {
        Array(#"{"\u0061ps":{"ev\u0065nt":"st\u0061rt","\ud800":1}}"#.utf8).withUnsafeBytes { bytes in
            let scan = PayloadScan(bytes)

            #expect(scan?.indexOfValue(.aps, "event", among: ["end", "start"]) == 1)
        }
    }
}
