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
