import Campaigns
import Foundation
import JSON
import Notifications

/// An app's way to decode the answers that it fetches: only with Foundation, and with integers as option sets.
enum AppClient {
    struct Registration: Decodable {
        let form: String
        let categories: [Category]
    }

    struct Category: Decodable, Equatable {
        let identifier: String
        let actions: [Action]
        let intentIdentifiers: [String]
        let hiddenPreviewsBodyPlaceholder: String?
        let options: UInt
    }

    struct Action: Decodable, Equatable {
        struct TextInput: Decodable, Equatable {
            let buttonTitle: String
            let placeholder: String
        }
        let identifier: String
        let title: String
        let options: UInt
        let textInput: TextInput?
    }

    struct Plan: Decodable {
        let notifications: [Notification]
        let omittedCount: Int
    }

    struct Notification: Decodable {
        struct Trigger: Decodable {
            let type: String
            let components: [String: Int]?
            let seconds: Double?
            let repeats: Bool?
        }
        struct Content: Decodable {
            let body: String?
        }
        let identifier: String
        let trigger: Trigger
        let content: Content
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(bytes))
    }
}
