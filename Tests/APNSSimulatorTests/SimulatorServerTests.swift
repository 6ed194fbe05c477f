import EventLoop
import HTTP2
import Logging
import Testing

@testable import APNSSimulator

@Suite(.timeLimit(.minutes(10)))
struct SimulatorServerTests {
    @Test func acceptedPushIsAnsweredRecordedAndDelivered() async throws {
        let delivered = Lock<[String]>([])
        try await withSimulator(
            deliver: { push in
                delivered.withLock { $0.append(String(decoding: push.payload, as: UTF8.self)) }
            },
            { server, sender, authorization in
                try await sender.connect(to: server)
                let answer = await sender.push(.push(authorization))

                #expect(answer.headers == [":status": "200", "apns-id": PushRequest.id])
                #expect(answer.body == "")
                #expect(server.record.counts.accepted == 1)
                #expect(server.record.accepted(try #require(PushID(PushRequest.id))) == 1)
            })
        #expect(delivered.withLock { $0 } == [#"{"aps":{"alert":"Hi"}}"#])
    }

    @Test func oneStreamIsAllowedBeforeAValidToken() async throws {
        try await withSimulator { server, sender, authorization in
            try await sender.connect(to: server)
            #expect(await sender.limits(1) == [1])

            #expect(await sender.push(.push("bearer x")).status == 403)
            #expect(await sender.limits(1) == [1])

            #expect(await sender.push(.push(authorization), number: 1).status == 200)
            #expect(await sender.limits(2) == [1, 1_000])
        }
    }

    @Test func limitFallsAfterRejectionAndRisesAfterSuccess() async throws {
        try await withSimulator({ $0.streams.reducesAfterRejection = true }) { server, sender, authorization in
            try await sender.connect(to: server)
            _ = await sender.push(.push(authorization))
            _ = await sender.push(.push(authorization, token: "xyz"), number: 1)
            #expect(await sender.limits(3) == [1, 1_000, 1])

            _ = await sender.push(.push(authorization), number: 2)
            #expect(await sender.limits(4) == [1, 1_000, 1, 1_000])
        }
    }

    @Test func rejectionHasReasonAndID() async throws {
        try await withSimulator { server, sender, authorization in
            try await sender.connect(to: server)
            let answer = await sender.push(.push(authorization, token: "xyz"))

            #expect(answer.status == 400)
            #expect(answer.headers["apns-id"] == PushRequest.id)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
            #expect(server.record.counts.refused == ["BadDeviceToken": 1])
        }
    }

    @Test func sandboxAnswersWithAUniqueIDAndIDsAreMade() async throws {
        try await withSimulator({ $0.environment = .sandbox }) { server, sender, authorization in
            try await sender.connect(to: server)
            let answer = await sender.push(.push(authorization, id: nil))

            let id = try #require(answer.headers["apns-id"])
            #expect(PushID(id) != nil && id == id.uppercased())
            #expect(PushID(answer.headers["apns-unique-id"] ?? "") != nil)
        }
    }

    @Test func thousandConcurrentPushesAreAnswered() async throws {
        try await withSimulator { server, sender, authorization in
            try await sender.connect(to: server)
            _ = await sender.push(.push(authorization))
            _ = await sender.limits(2)
            let requests = (1...1_000).map { number in
                TestSender.Request.push(authorization, id: PushID(high: 7, low: UInt64(number)).description)
            }
            await sender.send(requests, from: 1)
            for number in 1...1_000 { #expect(await sender.answer(number).status == 200) }

            #expect(server.record.counts.accepted == 1_001)
            #expect(server.record.counts.acceptedTwice == 0)
            #expect(server.record.counts.providerTokensOnAConnection == 1)
        }
    }

    @Test func acceptAllModeEchoesTheIDAndCounts() async throws {
        try await withSimulator({ $0.mode = .acceptAll }) { server, sender, _ in
            try await sender.connect(to: server)
            let answer = await sender.push(.push("nonsense"))

            #expect(answer.headers == [":status": "200", "apns-id": PushRequest.id])
            #expect(server.acceptAllPushes == 1)
        }
    }

    @Test func acceptAllModeAnswersLateAndPutsOffTheChosen() async throws {
        try await withSimulator({ $0.mode = .acceptAll }) { server, sender, _ in
            var answers = QuickAnswers()
            answers.latency = .milliseconds(20)
            answers.slowShare = 0.5
            answers.slowLatency = .milliseconds(200)
            answers.deferredShare = 0.5
            server.quickAnswers = answers
            try await sender.connect(to: server)
            let requests = (0..<200).map { number in
                TestSender.Request.push("", id: PushID(high: UInt64(number) << 32, low: 7).description)
            }
            let began = MonotonicTime.now()
            await sender.send(requests)
            var statuses: [Int] = []
            for number in 0..<200 {
                let answer = await sender.answer(number)
                #expect(answer.headers["apns-id"] == PushID(high: UInt64(number) << 32, low: 7).description)
                #expect(answer.body == (answer.status == 429 ? #"{"reason":"TooManyRequests"}"# : ""))
                statuses.append(answer.status)
            }
            #expect(MonotonicTime.now() - began >= answers.slowLatency)
            let refused = statuses.count { $0 == 429 }
            #expect(60...140 ~= refused && statuses.allSatisfy { [200, 429].contains($0) })
            #expect(server.acceptAllPushes == 200 - refused)
            // A push that was put off is accepted the second time.
            await sender.send(requests, from: 200)
            for number in 200..<400 { #expect(await sender.answer(number).status == 200) }
        }
    }

    @Test func pushThatIsAlwaysPutOffIsAnsweredWith503EachTime() async throws {
        try await withSimulator({ $0.mode = .acceptAll }) { server, sender, _ in
            var answers = QuickAnswers()
            answers.deferredShare = 1
            answers.deferral = .always503
            server.quickAnswers = answers
            try await sender.connect(to: server)
            for attempt in 0..<2 {
                let answer = await sender.push(.push(""), number: attempt)
                #expect(answer.status == 503 && answer.body == #"{"reason":"ServiceUnavailable"}"#)
            }
            #expect(server.acceptAllPushes == 0)
        }
    }

    @Test func answersWaitInTheOrderOfTheirRequests() {
        var queue = AnswerQueue(delay: .milliseconds(10))
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        queue.add(stream: 1, slot: 0, isDeferral: false, at: start)
        queue.add(stream: 3, slot: 1, isDeferral: true, at: start + .milliseconds(5))
        #expect(queue.nextDue == start + .milliseconds(10))
        #expect(queue.popDue(at: start + .milliseconds(9)) == nil)
        #expect(queue.popDue(at: start + .milliseconds(12))?.stream == 1)
        #expect(queue.popDue(at: start + .milliseconds(12)) == nil)
        #expect(queue.popDue(at: start + .milliseconds(15))?.isDeferral == true && queue.nextDue == nil)
    }

    @Test func shutdownAnswersRequestsInProgress() async throws {
        try await withSimulator { server, sender, authorization in
            server.faults = Faults([.init(.delay(by: .milliseconds(200)))])
            try await sender.connect(to: server)
            await sender.send([.push(authorization)])
            await server.record.waitUntilAccepted(1)
            await server.inject(.goAway(.init(lastStream: .all)))

            #expect(await sender.answer(0).status == 200)
            let goAways = await sender.goAways(2)
            #expect(goAways.map(\.lastStream) == [.max, 1])
            #expect(goAways.last?.debugData == #"{"reason":"Shutdown"}"#)
            #expect(await sender.end() == .closed)
        }
    }
}
