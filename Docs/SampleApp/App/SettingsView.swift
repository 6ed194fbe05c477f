import BelfryKit
import SwiftUI

struct SettingsView: View {
    @State private var link = ""
    @State private var user = ""
    @State private var topics: [Topic] = []

    var body: some View {
        Form {
            Section("Push") {
                Text(link)
                Button("Allow notifications") { Task { await Belfry.shared.requestAuthorization() } }
                Button("Buy a ticket") { Belfry.shared.convert("purchase", value: 9.5) }
            }
            Section("Account") {
                TextField("User ID", text: $user)
                Button("Log in") { Task { await logIn(user) } }
                Button("Log out") { Belfry.shared.logOut() }
            }
            Section("Topics") {
                ForEach(topics, id: \.key) { topic in TopicSwitch(topic) }
            }
        }
        // Nil without a network: then there are no switches.
        .task { topics = await Belfry.shared.topics(all: "News and offers") ?? [] }
        .onOpenURL { link = $0.absoluteString }
    }

    /// The app's own server makes the signature, if the app verifies identities: the key must not be in the app.
    private func logIn(_ user: String) async {
        let signature = await AppServer.signature(of: user)
        Belfry.shared.logIn(
            user, signature: signature, person: .object(["attributes": .object(["plan": .string("gold")])]))
    }
}

struct TopicSwitch: View {
    let topic: Topic

    @State private var isOn: Bool

    init(_ topic: Topic) {
        self.topic = topic
        _isOn = State(initialValue: !topic.isOptedOut)
    }

    var body: some View {
        Toggle(topic.name, isOn: $isOn)
            .onChange(of: isOn) { Belfry.shared.setOptedOut(!isOn, of: topic.key) }
    }
}

/// The place of the app's own server, which this sample does not have.
enum AppServer {
    static func signature(of user: String) async -> String? { nil }
}
