import APNSSimulator
import JSON

/// The content of the demo's workspace, as bodies of requests. The app is that of a bell tower with concerts, a shop
/// and a prize draw.
enum DemoContent {
    static let topics = [
        #"{"key": "concerts", "name": "Concerts", "translations": {"zh": {"name": "音乐会"}, "ja": {"name": "コンサート"}}}"#,
        #"{"key": "offers", "name": "Offers", "translations": {"zh": {"name": "优惠"}, "ja": {"name": "お得な情報"}}}"#,
    ]

    static let categories = [
        """
        {"identifier": "CONCERT", "actions": [
            {"identifier": "remind", "title": {"default": "Remind me", "zh": "提醒我", "ja": "リマインド"}},
            {"identifier": "book", "title": {"default": "Book seats", "zh": "订座", "ja": "予約する"},
             "options": ["foreground"]}]}
        """,
        """
        {"identifier": "QUESTION", "actions": [
            {"identifier": "answer", "title": {"default": "Answer", "zh": "回复", "ja": "返信"},
             "text_input": {"button_title": {"default": "Send", "zh": "发送", "ja": "送信"},
                            "placeholder": {"default": "Your answer", "zh": "你的回答", "ja": "回答"}}},
            {"identifier": "skip", "title": {"default": "Not now", "zh": "以后再说", "ja": "あとで"},
             "options": ["destructive"]}]}
        """,
    ]

    /// The buttons of the categories, for the phones.
    static func buttons() throws -> [String: [FleetConfiguration.Button]] {
        var buttons: [String: [FleetConfiguration.Button]] = [:]
        for text in categories {
            let category = try JSON(parsing: text)
            buttons[category["identifier"]?.text ?? ""] = (category["actions"]?.elements ?? []).map { action in
                .init(identifier: action["identifier"]?.text ?? "", takesText: action["text_input"] != nil)
            }
        }
        return buttons
    }

    /// Replies of people. They have no characters that JSON escapes.
    static let replies = [
        "Wonderful", "The big bell gave me goosebumps", "Too loud for my dog", "We will come again in spring", "好听极了",
        "钟声很震撼，下次还来", "素晴らしかったです", "Next time with more Bach, please", "👏👏👏", "Could not find a seat",
    ]

    static let segments = [
        """
        {"name": "Tokyo and Osaka", "audience": {"include": {"attribute": "city", "op": "in", "value": ["東京", "大阪"]}}}
        """,
        """
        {"name": "Newest app", "audience": {"include": {"field": "app_version", "op": "at_least", "value": "4.2"}}}
        """,
        """
        {"name": "Signed in", "audience": {"include": {"field": "user_id", "op": "exists"}}}
        """,
    ]

    /// In English, Chinese and Japanese, by their names.
    static let templates = [
        template(
            "Evening bells", category: "CONCERT", thread: "concerts",
            en: (
                "Evening bells",
                "Hello {{ first_name | default: \"there\" }}, tonight at eight the ringers play for you."
            ),
            zh: ("晚钟", "{{ first_name | default: \"朋友\" }}，今晚八点，钟声为你响起。"),
            ja: ("夕べの鐘", "{{ first_name | default: \"みなさま\" }}、今夜八時に鐘が鳴ります。")),
        template(
            "Sunday concert", category: "CONCERT", thread: "concerts",
            en: (
                "Sunday concert",
                "Bach and bells, Sunday at eleven. Seats are free for {{ city | default: \"your city\" }}."
            ),
            zh: ("周日音乐会", "周日十一点，巴赫与钟声。"), ja: ("日曜コンサート", "日曜十一時、バッハと鐘の音。")),
        template(
            "Moon Lovers", category: "CONCERT", thread: "concerts",
            en: ("Moon Lovers", "The moon rises at 20:14. Come up the tower and bring somebody you like."),
            zh: ("月亮爱好者", "月亮 20:14 升起，带上喜欢的人来登塔吧。"), ja: ("月を愛する人へ", "月の出は20時14分。大切な人と塔へどうぞ。")),
        template(
            "Spring sale", category: nil, thread: "shop",
            en: ("Small bells, small prices", "Table bells are 30 % off until Friday."),
            zh: ("小铃铛，小价格", "桌铃七折，周五截止。"), ja: ("小さな鐘、小さな値段", "卓上ベルが金曜まで30%引き。")),
        template(
            "Order is on its way", category: nil, thread: "shop",
            en: (
                "Your bell is on its way", "{{ first_name | default: \"Hello\" }}, it left our workshop this morning."
            ),
            zh: ("你的铃铛已发货", "今天早上已从工坊寄出。"), ja: ("発送しました", "今朝、工房から発送しました。")),
        template(
            "Lucky Draw", category: nil, thread: "draw",
            en: ("Lucky Draw", "Ring the bell once a day. Today's prize: two seats next to the great bell."),
            zh: ("幸运抽奖", "每天敲一次钟。今日奖品：大钟旁的两个座位。"), ja: ("ラッキードロー", "一日一回鐘を鳴らそう。賞品は大鐘の隣の二席。")),
        template(
            "How was it?", category: "QUESTION", thread: "draw",
            en: ("How was the concert?", "One word is enough."), zh: ("音乐会怎么样？", "一个词就够了。"),
            ja: ("コンサートはいかがでしたか", "一言で十分です。")),
    ]

    /// The language and the nickname of each test device.
    static let testDevices = [("en", "Ada’s iPhone"), ("zh", "Mei’s iPhone")]

    /// A week of campaigns that were sent, the oldest first: name, template, and a part of the audience.
    static let sent: [(name: String, template: String, audience: String)] = [
        ("Spring sale", "Spring sale", #"{"field": "language", "op": "is", "value": "en"}"#),
        ("Sunday concert", "Sunday concert", #"{"field": "app_version", "op": "at_least", "value": "4.1"}"#),
        ("How was it?", "How was it?", #"{"field": "user_id", "op": "exists"}"#),
        ("Lucky Draw, Tokyo", "Lucky Draw", #"{"field": "time_zone", "op": "is", "value": "Asia/Tokyo"}"#),
        ("Moon Lovers", "Moon Lovers", #"{"field": "app_version", "op": "at_least", "value": "4.2"}"#),
        ("Last day of the sale", "Spring sale", #"{"field": "language", "op": "in", "value": ["en", "de", "fr"]}"#),
    ]

    /// A/B tests of the week, as the API takes them: one that people decide, and one between texts that they like alike.
    static let tests = [
        test("Seats for tonight", ["Seats for tonight's concert", "\(likedText): choose your row"]),
        test("New opening hours", ["The tower opens at ten", "From tomorrow, the tower opens at ten"]),
    ]

    /// A campaign of the week with a control group, a fifth of its people.
    static let measured = #"""
        {"name":"Season tickets","control_share":200,"goal":{"metric":"event","event_name":"\#(bought)"},
        "content":{"payload":{"aps":{"alert":{"title":"Season tickets","body":"Ten concerts for the price of eight."},
        "sound":"default"}}}}
        """#
    /// The event of its goal, and of how many people in a thousand it is one, with the push and without.
    static let bought = "purchase"
    static let buyers = (withPush: 90, without: 45)

    /// A test of today: a fifth of the audience has it, and the rest waits until a person decides.
    static let openTest = test(
        "Autumn programme", ["The autumn programme is here", "Twelve concerts until December"],
        #","winner":{"share":200,"decision":"by_hand"}"#)

    /// People like a text with it, and open the push this many times as often.
    static let likings = [(text: likedText, factor: 1.3)]
    private static let likedText = "Two seats are kept for you"

    private static func test(_ name: String, _ texts: [String], _ more: String = "") -> String {
        let variants = texts.map {
            #"{"content":{"payload":{"aps":{"alert":{"title":"\#(name)","body":"\#($0)"},"sound":"default"}}}}"#
        }
        return #"{"name":"\#(name)","variants":[\#(variants.joined(separator: ","))]\#(more)}"#
    }

    private static func template(
        _ name: String, category: String?, thread: String, en: (String, String), zh: (String, String),
        ja: (String, String)
    ) -> (name: String, content: String) {
        func payload(_ text: (String, String)) -> String {
            let category = category.map { #","category":"\#($0)""# } ?? ""
            let (title, body) = (text.0, text.1.replacing("\"", with: "\\\""))
            return #"""
                {"aps":{"alert":{"title":"\#(title)","body":"\#(body)"},"sound":"default","thread-id":"\#(thread)"\#(category)}}
                """#
        }
        let variants = #"{"zh":\#(payload(zh)),"ja":\#(payload(ja))}"#
        return (name, #"{"payload":\#(payload(en)),"variants":\#(variants)}"#)
    }
}
