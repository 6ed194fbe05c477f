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
                Button("Buy a ticket", action: buyTicket)
                Button("Become a ringer", action: becomeRinger)
            }
            Section("Account") {
                TextField("User ID", text: $user)
                Button("Log in") { Task { await Session.open(by: user)?.logIn() } }
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

    private func buyTicket() {
        Belfry.shared.track("purchase", value: 9.5, properties: ["tower": "north", "seats": 1])
        Belfry.shared.convert("purchase", value: 9.5)
    }

    private func becomeRinger() {
        var change = DeviceChange()
        change.device.addedTags = ["ringer"]
        change.device.attributes = ["tower": "north"]
        Belfry.shared.update(change)
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
