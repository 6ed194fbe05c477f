import JSON
import Testing

@Suite struct MessageTests {
    private let tooLong: Message = "must be at most \(10) bytes, not \("12")"

    @Test func literalRecordsItsKeyAndItsArguments() {
        #expect(tooLong.key == "must be at most {} bytes, not {}")
        #expect(tooLong.arguments.map(\.description) == ["10", "12"])
        #expect(tooLong.description == "must be at most 10 bytes, not 12")
    }

    @Test func messageInsideAnotherStaysAMessage() throws {
        let outer: Message = "\("name") \(tooLong)."

        #expect(outer.key == "{} {}.")
        #expect(outer.description == "name must be at most 10 bytes, not 12.")
        guard case .message(let inner)? = outer.arguments.last else {
            Issue.record("the argument lost its structure")
            return
        }
        #expect(inner.key == tooLong.key)
    }

    /// A person's text may look like a placeholder or like a sentence.
    @Test(arguments: ["{}", "{{", "}", "is required", "must be at most {} bytes, not {}"])
    func textOfAPersonIsNeverPartOfTheKey(_ text: String) {
        let message: Message = "There is no \(text)."

        #expect(message.key == "There is no {}.")
        #expect(message.description == "There is no \(text).")
    }

    @Test func bracesOfASentenceAreDoubledInItsKey() {
        let message: Message = "must be like {\"a\":{}}, not \("x")"

        #expect(message.key == "must be like {{\"a\":{{}}}}, not {}")
        #expect(message.description == "must be like {\"a\":{}}, not x")
    }

    @Test func literalInTwoPartsIsOneSentence() {
        let message: Message = "has \(2) fields, " + "but the header has \(3)"

        #expect(message.key == "has {} fields, but the header has {}")
        #expect(message.description == "has 2 fields, but the header has 3")
    }

    @Test func textOfAnotherProgramIsAnArgument() {
        let message = Message(verbatim: "connection refused {}")

        #expect(message.key == "{}" && message.description == "connection refused {}")
    }

    @Test func listsHaveNothingButSeparatorsInTheirKeys() {
        #expect(["a"].list.key == "{}" && [String]().list.description == "")
        #expect(["a", "b", "c"].list.key == "{}, {}, {}" && ["a", "b", "c"].list.description == "a, b, c")
        #expect(["a", "b", "c"].alternatives.key == "{} or {}")
        #expect(["a", "b", "c"].alternatives.description == "a, b or c" && ["a"].alternatives.description == "a")
        let sentences = Message.sentences(["It failed.", "Try again in \(5) seconds."])
        #expect(sentences.key == "{} {}" && sentences.description == "It failed. Try again in 5 seconds.")
    }

    @Test func problemsBecomeASentenceOfTheirMessages() {
        let problem = Problem.error("tags[0]", "too-long", tooLong)

        #expect(problem.sentence.key == "{} {}.")
        #expect(problem.sentence.description == "tags[0] must be at most 10 bytes, not 12.")
        #expect(Problem.error("", "a", "the rule is old").sentence.key == "{}.")
        #expect(Problem.error("x", "a", "the rule is old").sentence.description == "x: the rule is old.")
        #expect(Problem.error("x", "a", "must be b; did you mean \("c")?").sentence.key == "{} {}")
        #expect(Problems([problem, problem]).message.key == "{}; {}")
    }

    @Test func messagesAreEqualIfTheyReadTheSame() {
        #expect(tooLong == "must be at most 10 bytes, not 12")
        #expect(Set([tooLong, Message(verbatim: tooLong.description)]).count == 1)
    }

    // MARK: In answers and in the database

    @Test func localizationHasTheKeyAndTheArguments() {
        let message: Message = "\("name") \(tooLong)."

        #expect(
            message.localization == [
                "key": "{} {}.",
                "arguments": ["name", ["key": "must be at most {} bytes, not {}", "arguments": ["10", "12"]]],
            ])
        #expect(message.members("detail").map(\.key) == ["detail", "detail_localization"])
    }

    @Test(
        arguments: [
            "is required", "must be at most \(1) bytes, not \(2)", "\("a") \("{} is \("b")" as Message).",
            "like {\"a\":{}}, not \("{}")", "}{{}", Message(verbatim: "{} }"), "",
        ] as [Message])
    func localizationIsReadAsItWasWritten(_ message: Message) throws {
        let read = try #require(Message(localization: message.localization))

        #expect(read.description == message.description && read.key == message.key)
    }

    @Test(arguments: [
        #"null"#, #""is required""#, #"{"key":"a {}","arguments":[]}"#, #"{"key":"a","arguments":["b"]}"#,
        #"{"key":"{}","arguments":[1]}"#, #"{"key":1,"arguments":[]}"#, #"{"key":"a"}"#,
    ])
    func anythingElseIsNoMessage(_ text: String) throws {
        #expect(Message(localization: try JSON(parsing: text)) == nil)
    }
}
