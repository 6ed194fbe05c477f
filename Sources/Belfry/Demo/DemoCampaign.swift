import FoundationEssentials
import JSON
import Notifications

/// The campaign of `belfry demo`.
enum DemoCampaign {
    static let names = ["Evening bells", "Sunday concert", "The tower is open", "A bell for you"]

    static func body(name: String) -> JSON {
        [
            "name": .string(name),
            "content": [
                "payload": [
                    "aps": [
                        "alert": [
                            "title": .string(name),
                            "body": "Tonight at eight the ringers play for you. Come up and listen.",
                        ],
                        "sound": "default",
                        "thread-id": "bells",
                        "interruption-level": "active",
                    ],
                    "link": "belltower://concerts/tonight",
                ]
            ],
        ]
    }
}
