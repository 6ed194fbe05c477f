import JSON

/// Topics and categories.
extension Refusal {
    public static let topicKeyTaken = Refusal(
        .conflict, "topic-key-taken", field: "key", "The app already has a topic with this key.")

    public static let topicInUse = Refusal(
        .conflict, "topic-in-use", "Campaigns and their reports use this topic, so it can't be deleted.")

    public static let unknownTopic = Refusal(
        .invalid, "unknown-topic", field: "topic", "The app has no topic with this key. Create the topic first.")

    public static let categoryIdentifierTaken = Refusal(
        .conflict, "category-identifier-taken", field: "identifier",
        "The app already has a category with this identifier.")
}
