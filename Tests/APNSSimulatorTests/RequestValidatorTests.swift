import Crypto
import Foundation
import Testing

@testable import APNSSimulator

struct RequestValidatorTests {
    var checker: Checker

    init() throws { checker = try Checker() }

    @Test mutating func goodRequestIsAccepted() throws {
        let check = try checker.check()

        #expect(check.rejection == nil)
        #expect(check.flags == [])
        #expect(check.isAuthenticated)
        #expect(check.id?.description == PushRequest.id)
    }

    @Test mutating func onlyPostIsAllowed() throws {
        #expect(try checker.check(method: "PUT").rejection == .methodNotAllowed)
    }

    @Test(arguments: ["/3/devices/00", "/2/device/00", "/", "/3/device/00/11"])
    mutating func otherPathsAreBad(path: String) throws {
        #expect(try checker.check(path: path).rejection == .badPath)
    }

    @Test(arguments: ["/3/device", "/3/device/"])
    mutating func pathWithoutTokenIsMissingIt(path: String) throws {
        #expect(try checker.check(path: path).rejection == .missingDeviceToken)
    }

    @Test mutating func repeatedHeaderIsRefused() throws {
        #expect(try checker.check(extra: [("apns-priority", "10")]).rejection == .duplicateHeaders)
    }

    @Test(arguments: ["0f1e2d3c4b5a49788695a4b3c2d1e0f0", "x", "", "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0fg"])
    mutating func idThatIsNoUUIDIsRefused(id: String) throws {
        #expect(try checker.check(changes: ["apns-id": id]).rejection == .badMessageID)
    }

    @Test mutating func upperCaseAndMissingIDsAreFlagged() throws {
        let upper = try checker.check(changes: ["apns-id": PushRequest.id.uppercased()])
        let missing = try checker.check(changes: ["apns-id": nil])

        #expect(upper.rejection == nil && upper.flags == .upperCaseID)
        #expect(upper.id == PushID(PushRequest.id))
        #expect(missing.rejection == nil && missing.flags == .missingID)
    }

    @Test(arguments: ["soon", "-1", "1.5", "", "99999999999999999999"])
    mutating func expirationThatIsNoTimeIsRefused(value: String) throws {
        #expect(try checker.check(changes: ["apns-expiration": value]).rejection == .badExpirationDate)
    }

    @Test mutating func expirationThatHasPassedIsFlagged() throws {
        #expect(try checker.check(changes: ["apns-expiration": "1000"]).flags == .expired)
    }

    @Test(arguments: ["0", "2", "11", "high", ""])
    mutating func unknownPriorityIsRefused(value: String) throws {
        #expect(try checker.check(changes: ["apns-priority": value]).rejection == .badPriority)
    }

    @Test(arguments: ["1", "5", "10"])
    mutating func threePrioritiesAreGood(value: String) throws {
        #expect(try checker.check(changes: ["apns-priority": value]).rejection == nil)
    }

    @Test mutating func backgroundPushMustNotHavePriorityTen() throws {
        let body = #"{"aps":{"content-available":1}}"#

        #expect(try checker.check(changes: ["apns-push-type": "background"], body: body).rejection == .badPriority)
        let five = try checker.check(changes: ["apns-push-type": "background", "apns-priority": "5"], body: body)
        #expect(five.rejection == nil && five.flags == [])
        let none = try checker.check(
            changes: ["apns-push-type": "background", "apns-priority": nil], body: body)
        #expect(none.rejection == nil && none.flags == .backgroundWithoutPriority)
    }

    @Test mutating func backgroundPushWithAlertIsFlagged() throws {
        let check = try checker.check(
            changes: ["apns-push-type": "background", "apns-priority": "5"],
            body: #"{"aps":{"alert":"Hi","content-available":1}}"#)

        #expect(check.rejection == nil && check.flags == .backgroundWithAlert)
    }

    @Test(arguments: [("location", ".location-query"), ("liveactivity", ".push-type.liveactivity")])
    mutating func priorityOneIsFlaggedWhereApplesPagesDoNotNameIt(type: String, suffix: String) throws {
        let changes: [String: String?] = ["apns-push-type": type, "apns-topic": Provider.bundleID + suffix]

        for (priority, isFlagged) in [("10", false), ("5", false), ("1", true)] {
            let check = try checker.check(changes: changes.merging(["apns-priority": priority]) { $1 })
            #expect(check.rejection == nil && check.flags.contains(.undocumentedPriority) == isFlagged)
        }
    }

    @Test mutating func liveActivityIsReturned() throws {
        let changes: [String: String?] = [
            "apns-push-type": "liveactivity", "apns-topic": Provider.bundleID + ".push-type.liveactivity",
        ]
        let body = #"{"aps":{"timestamp":1800000000,"event":"end"}}"#

        let check = try checker.check(changes: changes, body: body)

        #expect(check.activity == ActivityPush(event: .end, timestamp: 1_800_000_000))
        #expect(check.flags == [])
        #expect(try checker.check().activity == nil)
    }

    @Test mutating func pushTypeIsOneOfEleven() throws {
        #expect(try checker.check(changes: ["apns-push-type": "Alert"]).rejection == .invalidPushType)
        #expect(try checker.check(changes: ["apns-push-type": nil]).flags == .missingPushType)
        for type in PushType.allCases where type.topicSuffix != nil && type != .background {
            let topic = Provider.bundleID + (type.topicSuffix ?? "")
            let check = try checker.check(changes: ["apns-push-type": type.rawValue, "apns-topic": topic])
            #expect(check.rejection == nil, "\(type)")
        }
    }

    @Test mutating func collapseIDIsCountedInBytes() throws {
        let longest = String(repeating: "é", count: 32)

        #expect(try checker.check(changes: ["apns-collapse-id": longest]).rejection == nil)
        #expect(try checker.check(changes: ["apns-collapse-id": longest + "x"]).rejection == .badCollapseID)
    }

    @Test mutating func topicIsRequiredAllowedAndMatchesThePushType() throws {
        #expect(try checker.check(changes: ["apns-topic": nil]).rejection == .missingTopic)
        #expect(try checker.check(changes: ["apns-topic": "com.example.other"]).rejection == .topicDisallowed)
        #expect(try checker.check(changes: ["apns-topic": "com.example.app.voip"]).rejection == .badTopic)
        #expect(try checker.check(changes: ["apns-push-type": "voip"]).rejection == .badTopic)
    }

    @Test(arguments: ["abc", "zz", "(null)", String(repeating: "0", count: 402)])
    mutating func tokenThatIsNotHexIsRefused(token: String) throws {
        #expect(try checker.check(token: token).rejection == .badDeviceToken)
    }

    @Test(arguments: [2, 64, 160, 400])
    mutating func tokenMayHaveAnyEvenLength(digits: Int) throws {
        #expect(try checker.check(token: String(repeating: "a", count: digits)).rejection == nil)
    }

    @Test mutating func tokenIsTheSameInUpperCase() throws {
        let upper = try checker.check(token: PushRequest.token.uppercased())

        #expect(upper.flags == .upperCaseToken)
        #expect(upper.tokenHash == (try checker.check().tokenHash))
    }

    @Test mutating func deviceStatusDeterminesTheAnswer() throws {
        let tokens = (0..<4).map { [UInt8](repeating: UInt8($0), count: 32) }
        checker.devices.add(token: tokens[0], environment: .production, topic: Provider.bundleID)
        checker.devices.add(token: tokens[1], environment: .sandbox, topic: Provider.bundleID)
        checker.devices.add(token: tokens[2], environment: .production, topic: "com.example.app.voip")
        let gone = checker.devices.add(token: tokens[3], environment: .production, topic: Provider.bundleID)
        checker.devices.unregister(gone, at: Date(timeIntervalSince1970: 1_700_000_000.25))

        let checks = try tokens.map { try checker.check(token: Hex.encode($0)) }

        #expect(checks[0].rejection == nil && checks[0].device == 0)
        #expect(checks[1].rejection == .badDeviceToken)
        #expect(checks[2].rejection == .deviceTokenNotForTopic)
        #expect(checks[3].rejection == .unregistered(since: 1_700_000_000_250))
    }

    @Test func unknownTokenIsRejectedIfConfigured() throws {
        var checker = try Checker { $0.acceptsUnknownTokens = false }

        #expect(try checker.check().rejection == .badDeviceToken)
    }

    @Test mutating func bodyIsRequiredAndLimited() throws {
        func body(of size: Int) -> String {
            let frame = #"{"aps":{"alert":""}}"#
            return #"{"aps":{"alert":"\#(String(repeating: "x", count: size - frame.utf8.count))"}}"#
        }
        let voip: [String: String?] = ["apns-push-type": "voip", "apns-topic": "com.example.app.voip"]

        #expect(try checker.check(body: "").rejection == .payloadEmpty)
        #expect(try checker.check(body: body(of: 4_096)).rejection == nil)
        #expect(try checker.check(body: body(of: 4_097)).rejection == .payloadTooLarge)
        #expect(try checker.check(changes: voip, body: body(of: 5_120)).rejection == nil)
        #expect(try checker.check(changes: voip, body: body(of: 5_121)).rejection == .payloadTooLarge)
        #expect(try checker.check(body: body(of: 20_000)).rejection == .payloadTooLarge)
    }

    @Test(arguments: ["[]", "hi", #"{"aps":}"#, #"{"aps":{}} x"#, "{\"a\":\"\u{1}\"}"])
    mutating func bodyMustBeADictionary(body: String) throws {
        let check = try checker.check(body: body)

        #expect(check.rejection == .payloadEmpty)
        #expect(check.flags.contains(.malformedPayload))
    }

    @Test mutating func stringBadgeIsAcceptedAndFlagged() throws {
        let check = try checker.check(body: #"{"aps":{"alert":"a","badge":"3"}}"#)

        #expect(check.rejection == nil && check.flags == .stringBadge)
    }
}
