import BelfryKit
import SwiftUI

struct SettingsView: View {
    @State private var link = ""
    @State private var user = ""
    @State private var topics: [Topic] = []
    @State private var optedOut: Set<String> = []

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
                ForEach(topics, id: \.key) { topic in Toggle(topic.name, isOn: isOn(topic.key)) }
            }
        }
        .task { await showTopics() }
        .onOpenURL { link = $0.absoluteString }
    }

    /// The app's own server makes the signature, if the app verifies identities: the key must not be in the app.
    private func logIn(_ user: String) async {
        let signature = await AppServer.signature(of: user)
        Belfry.shared.logIn(
            user, signature: signature, person: .object(["attributes": .object(["plan": .string("gold")])]))
    }

    private func showTopics() async {
        // Nil without a network: then the switches stay as they are.
        guard let found = await Belfry.shared.topics() else { return }
        topics = found
        optedOut = Set(found.filter(\.isOptedOut).map(\.key))
    }

    private func isOn(_ topic: String) -> Binding<Bool> {
        Binding(
            get: { !optedOut.contains(topic) },
            set: { isOn in
                if isOn { optedOut.remove(topic) } else { optedOut.insert(topic) }
                Belfry.shared.setOptedOut(!isOn, of: topic)
            })
    }
}

/// The place of the app's own server, which this sample does not have.
enum AppServer {
    static func signature(of user: String) async -> String? { nil }
}
