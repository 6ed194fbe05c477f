import APNSSimulator
import Crypto
import FoundationEssentials
import HTTPServer
import HTTPTypes
import JSON

/// Reads the body of `PUT /faults`:
///
///     {"rules": [{"fault": "answer", "status": 410, "reason": "Unregistered", "token": "8f3a…", "first": 1},
///                {"fault": "silence", "every": 3}, {"fault": "delay", "seconds": 2}]}
///
/// Rules apply in their order. Without `first`, `nth`, `every` or `rate` a rule applies always, and without `token` to
/// every device.
enum SimulatorFaults {
    /// Rules in one body.
    static let ruleLimit = 100
    /// Seconds of a delay.
    static let longestDelay = 60.0

    private enum Kind: String, CaseIterable { case answer, silence, delay, disconnect }

    static func read(_ bytes: [UInt8]) throws -> Faults {
        let json: JSON
        do throws(JSON.SyntaxError) { json = try JSON(parsing: bytes) } catch {
            throw HTTPError(.badRequest, code: "invalid-json", detail: "The body is not JSON: \(error.message).")
        }
        do throws(Problems) {
            return try ObjectReader.document(json, named: "The body") { body in
                body.require("rules")
                let rules = body.closedObjects("rules") { rule(&$0) } ?? []
                if rules.count > ruleLimit {
                    body.refuse("rules", "too-many", "must contain at most \(ruleLimit), not \(rules.count)")
                }
                return Faults(rules.compactMap { $0 })
            }
        } catch {
            throw HTTPError(.unprocessableContent, code: "invalid-body", detail: "\(error)")
        }
    }

    /// Nil if there are problems.
    private static func rule(_ body: inout ObjectReader) -> Faults.Rule? {
        body.require("fault")
        let kind: Kind? = body.choice("fault")
        let condition = condition(&body)
        let scope = body.value("token") { text throws(InvalidValue) -> Faults.Scope in
            do throws(CryptoError) { return .tokens([try Hex.decode(text)]) } catch {
                throw InvalidValue("invalid-token", "must be hexadecimal digits, two for each byte")
            }
        }
        guard let kind, let fault = fault(kind, &body), body.isValid else { return nil }
        return Faults.Rule(fault, condition, for: scope ?? .everyone)
    }

    private static func fault(_ kind: Kind, _ body: inout ObjectReader) -> Fault? {
        switch kind {
        case .silence: return .noAnswer(accepted: body.bool("accepted") ?? false)
        case .disconnect: return .disconnect(accepted: body.bool("accepted") ?? false)
        case .delay:
            body.require("seconds")
            return body.double("seconds", in: 0...longestDelay).map { .delay(by: .seconds($0)) }
        case .answer:
            body.require("status", "reason")
            let (status, reason) = (body.whole("status", in: 400...599), body.string("reason"))
            guard let status, let reason else { return nil }
            return .answer(
                APNSRejection(
                    status: status, reason: reason, timestamp: status == 410 ? now : nil))
        }
    }

    /// In milliseconds since 1970, as Apple says since when a token is not valid.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private static func condition(_ body: inout ObjectReader) -> Faults.Condition {
        let counts = 1...1_000_000
        let found: [Faults.Condition?] = [
            body.whole("first", in: counts).map { .first($0) }, body.whole("nth", in: counts).map { .nth($0) },
            body.whole("every", in: counts).map { .every($0) },
            body.double("rate", in: 0...1).map { .rate($0) },
        ]
        let conditions = found.compactMap { $0 }
        if conditions.count > 1 {
            body.refuse("fault", "conditions", "can have only one of first, nth, every and rate")
        }
        return conditions.first ?? .always
    }
}
