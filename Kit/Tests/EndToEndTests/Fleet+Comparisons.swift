import Foundation
import Testing

@testable import BelfryCore

extension Fleet {
    /// A campaign that has been sent.
    struct Sent {
        let run: String
        /// By the phone's number.
        let pushes: [Int: Push]
    }

    /// Sends a campaign. Its ledger adds up, and the push arrives once on each phone that is named and on no other.
    /// `before` are the pushes of earlier campaigns.
    func send(
        _ campaign: JSONValue, to recipients: [Phone], after before: Int, considering targeted: Int,
        unregistered: Int = 0
    ) async throws -> Sent {
        let run = try await server.run(campaign)
        #expect(run["balanced"] == .bool(true))
        #expect(run["targeted"]?.integer == targeted)
        #expect(run["accepted"]?.integer == recipients.count)
        #expect(run["rejected"]?.integer == unregistered)
        #expect(run["suppressed"]?.integer == targeted - recipients.count - unregistered)
        let terms = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown"]
        #expect(run["targeted"]?.integer == terms.reduce(0) { $0 + (run[$1]?.integer ?? 0) })

        let text = campaign["payload"]?["aps"]?["alert"]?.string
        let record = try await AppleRecord.of(server.apple, count: before + recipients.count)
        let arrived = record.pushes.mapValues { $0.filter { $0.alert?.body == text } }.filter { !$0.value.isEmpty }
        #expect(arrived.count == recipients.count)
        var pushes: [Int: Push] = [:]
        for phone in recipients {
            let all = arrived[await phone.tokenStart] ?? []
            #expect(all.count == 1, "phone \(phone.number)")
            pushes[phone.number] = all.first
        }
        return Sent(run: try #require(run["id"]?.string), pushes: pushes)
    }

    /// The run, its statistics and its events equal what happened on the phones.
    func compare(_ sent: Sent) async throws {
        let truth = try await Truth(phones, of: sent.pushes)
        let run = try await server.send("GET", "runs", sent.run)
        for name in ["delivered", "opened", "engaged"] { #expect(run[name]?.double == truth.counts[name], "\(name)") }
        #expect(run["unexpected_acknowledgements"] == .integer(0))
        let totals = try await server.send("GET", "statistics", "totals", query: ["run": sent.run])["total"]
        for (name, count) in truth.counts { #expect(totals?[name]?.double == count, "\(name)") }
        let rows = try await server.rows("events", "export", query: ["run": sent.run])
        #expect(Truth.lines(rows) == truth.lines)
    }

    func compareTotals(_ campaigns: [Sent]) async throws {
        let totals = try await server.send("GET", "statistics", "totals")["total"]
        var counts: [String: Double] = [:]
        for sent in campaigns { counts.merge(try await Truth(phones, of: sent.pushes).counts, uniquingKeysWith: +) }
        for (name, count) in counts { #expect(totals?[name]?.double == count, "\(name) in total") }
    }

    /// Each device on the server is as its phone is now.
    func compareDevices() async throws {
        let devices = try await server.list("devices")
        #expect(devices.count == phones.count)
        let byNumber = Dictionary(
            devices.map { ($0["attributes"]?["number"]?.integer ?? -1, $0) }, uniquingKeysWith: { first, _ in first })
        for phone in phones {
            let device = try #require(byNumber[phone.number])
            let user = await phone.user.map(JSONValue.string) ?? .null
            #expect(device["user_id"] == user, "phone \(phone.number)")
            #expect(await device["installation"]?.string == phone.installation)
            #expect(device["registered"] == .bool(true), "phone \(phone.number)")
            #expect(await device["locale"]?.string == phone.state.locale)
            #expect(device["tags"]?.elements.contains(.string("returned")) == phone.isRetired)
            let optOuts =
                phone.isAgainstAll ? [Topic.all] : phone.isAgainstOffers && !phone.isForgiving ? [Self.topic] : []
            #expect(device["opt_outs"]?.elements.compactMap(\.string) == optOuts, "phone \(phone.number)")
        }
    }

    /// What the kits of all phones have reported.
    func diagnostics() async -> [Diagnostic] {
        var all: [Diagnostic] = []
        for phone in phones { all += await phone.diagnostics }
        return all
    }
}
