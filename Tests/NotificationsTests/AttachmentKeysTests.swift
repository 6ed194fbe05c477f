import JSON
import Notifications
import Testing

@Suite struct AttachmentKeysTests {
    private func url() throws -> MediaURL {
        try MediaURL("https://cdn.example.com/a.png")
    }

    @Test func richAttachmentOfTheDocumentsIsMade() throws {
        let payload = Payload(
            aps: APS(
                alert: .dictionary(Alert(title: "Moon Lovers", body: "See the picture")),
                category: "push-message-category"))

        let rich = AttachmentKeys.imageOnly.attach(
            try MediaURL("https://cdn.example.com/assets/logo.png"), .image, to: payload)

        #expect(
            rich.json.isEquivalent(
                to: try JSON(
                    parsing: #"{"aps":{"alert":{"title":"Moon Lovers","body":"See the picture"},"mutable-content":1,"#
                        + #""category":"push-message-category"},"#
                        + #""attachment-image":"https://cdn.example.com/assets/logo.png"}"#)))
    }

    @Test func typeIsTheKind() throws {
        func members(_ kind: MediaKind?) throws -> [JSON] {
            AttachmentKeys.standard.members(for: try url(), kind).map(\.value)
        }

        #expect(try members(.image) == ["https://cdn.example.com/a.png", "image"])
        #expect(try members(.audio).last == "audio")
        #expect(try members(.video).last == "video")
        #expect(try members(nil) == ["https://cdn.example.com/a.png"])
        #expect(AttachmentKeys.standard.all == ["attachment-url", "attachment-type"])
    }

    @Test func attachingReplacesExistingMembers() throws {
        let payload = Payload(custom: [
            .init("id", 1), .init("attachment-type", "video"), .init("attachment-url", "old"), .init("z", 2),
        ])

        let attached = AttachmentKeys.standard.attach(try url(), .image, to: payload)

        #expect(attached.custom.map(\.key) == ["id", "z", "attachment-url", "attachment-type"])
        #expect(attached.aps == APS(mutableContent: true))
        #expect(AttachmentKeys.standard.attach(try url(), .image, to: attached) == attached)
    }

    @Test(arguments: [AttachmentKeys.standard, .imageOnly, AttachmentKeys(url: "u", type: "t")])
    func keysRoundTrip(_ keys: AttachmentKeys) throws {
        #expect(try AttachmentKeys(json: keys.json, messageIDKey: "i") == keys)
    }

    @Test(arguments: [
        (#"{}"#, ["url missing"]), (#"{"url":""}"#, ["url empty"]), (#"{"url":"aps"}"#, ["url custom-key-aps"]),
        (#"{"url":"i","type":"i"}"#, ["url message-id-key-in-use", "type message-id-key-in-use"]),
        (#"{"url":"a","type":"a"}"#, ["type duplicate-key"]),
        (#"{"url":1,"typ":"t"}"#, ["url wrong-type", "typ unknown-field"]),
        (#"{"url":"a\n"}"#, ["url bad-character"]), (#"[]"#, [" wrong-type"]), (#"{"url":"a","type":null}"#, []),
    ])
    func badKeysAreRefused(_ text: String, _ expected: [String]) throws {
        let json = try JSON(parsing: text)
        var found: [String] = []
        do throws(Problems) {
            _ = try AttachmentKeys(json: json, messageIDKey: "i")
        } catch {
            found = error.problems.map { "\($0.path) \($0.code)" }
        }
        #expect(found == expected)
    }

    @Test func keysHaveALimitToTheByte() throws {
        let long = String(repeating: "k", count: AttachmentKeys.maximumSize)

        #expect(try AttachmentKeys(json: ["url": .string(long)], messageIDKey: nil) == AttachmentKeys(url: long))
        #expect(throws: Problems.self) { try AttachmentKeys(json: ["url": .string(long + "k")], messageIDKey: nil) }
    }
}

@Suite struct MediaURLTests {
    @Test(arguments: [
        "https://example.com", "HTTPS://example.com/a%20b?x=1&y=[2]#z", "https://[::1]:8443/a",
        "https://xn--4ca.example/", "https://example.com:65535/a:b", "https://[::1]/a",
    ])
    func httpsAddressesAreAccepted(_ text: String) throws {
        #expect(try MediaURL(text).text == text)
    }

    @Test(arguments: [
        ("", "not-https"), ("http://example.com/a.png", "not-https"), ("/a.png", "not-https"),
        ("javascript:alert(1)", "not-https"), ("https://", "no-host"), ("https:///a", "no-host"),
        ("https://:443/a", "no-host"), ("https://me:secret@example.com/", "has-credentials"),
        ("https://example.com:99999/a", "bad-port"), ("https://example.com:0/", "bad-port"),
        ("https://example.com:/a", "bad-port"), ("https://example.com:8o/", "bad-port"),
        ("https://[::1]:x", "bad-port"),
        ("https://example.com/a b", "bad-character"), ("https://example.com/é", "bad-character"),
        ("https://example.com/\"", "bad-character"), ("https://example.com/\n", "bad-character"),
    ])
    func otherAddressesAreRejected(_ text: String, _ code: String) {
        let error = #expect(throws: InvalidValue.self) { try MediaURL(text) }

        #expect(error?.code == code)
    }

    @Test func lengthHasALimitToTheByte() throws {
        let longest = "https://e/" + String(repeating: "a", count: MediaURL.maximumSize - 10)

        #expect(try MediaURL(longest).text == longest)
        #expect(throws: InvalidValue.self) { try MediaURL(longest + "a") }
    }
}
