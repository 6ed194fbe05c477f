import Foundation

@testable import BelfryCore

extension Fleet {
    /// Each person does something else with the push, and some phones fail meanwhile.
    func react(to pushes: [Int: Push]) async throws {
        try await Phone.each(phones) { phone in
            guard let push = pushes[phone.number] else { return }
            try await phone.react(to: push)
            phone.network.become(.online)
            await phone.client.flush()
        }
    }

    /// All tap, or only get it; some crash before the event is sent.
    func tap(_ pushes: [Int: Push]) async throws {
        try await Phone.each(phones) { phone in
            guard let push = pushes[phone.number] else { return }
            if phone.number.isMultiple(of: 3) {
                try await phone.deliver(push)
                try await phone.crash()
            } else {
                try await phone.open(push)
            }
            await phone.client.flush()
        }
    }
}

extension Phone {
    fileprivate func react(to push: Push) async throws {
        switch number % 13 {
        case 0: try deliver(push)
        case 1:
            try deliver(push)
            try open(push)
        case 2: try press("buy", of: push)
        case 3: try reply("Yes, \(number)", to: push)
        case 4: try dismiss(push)
        case 5:
            try present(push)
            // Sent twice: the person sees the app in the foreground, and later taps.
            await client.flush()
            try present(push)
            try press("buy", of: push)
            try press("later", of: push)
        case 6:
            try open(push)
            try buy(after: push, value: 2.5)
        case 7: try openFromIcon(push)
        case 8:
            network.become(.offline)
            try deliver(push)
            try open(push)
            await client.flush()
        case 9:
            // Between the write and the sending.
            try open(push)
            try await crash()
        case 10, 11:
            // Between the sending and the answer.
            try deliver(push)
            try open(push)
            network.become(.losingAnswers)
            await client.flush()
            if number % 13 == 11 { try await crash() }
        default: break
        }
    }
}
