/// A realistic distribution of the people who own the phones, with round weights.
enum Population {
    struct Weighted {
        let value: String
        let weight: Int
    }

    /// The share of phones with a signed-in user.
    static let signedIn = 0.6

    static let plans = [
        Weighted(value: "free", weight: 80), Weighted(value: "plus", weight: 16), Weighted(value: "pro", weight: 4),
    ]
    static let osVersions = [
        Weighted(value: "26.1", weight: 46), Weighted(value: "26.0.1", weight: 14),
        Weighted(value: "18.7.2", weight: 22), Weighted(value: "18.5", weight: 9), Weighted(value: "17.7.2", weight: 6),
        Weighted(value: "16.7.12", weight: 3),
    ]
    static let appVersions = [
        Weighted(value: "4.2.0", weight: 61), Weighted(value: "4.1.3", weight: 21), Weighted(value: "4.0.0", weight: 9),
        Weighted(value: "3.9.8", weight: 6), Weighted(value: "2.0.1", weight: 3),
    ]
    static let models = [
        Weighted(value: "iPhone18,1", weight: 12), Weighted(value: "iPhone17,3", weight: 20),
        Weighted(value: "iPhone16,2", weight: 18), Weighted(value: "iPhone15,4", weight: 17),
        Weighted(value: "iPhone14,5", weight: 16), Weighted(value: "iPhone12,8", weight: 8),
        Weighted(value: "iPad14,3", weight: 9),
    ]
}

/// The people of one locale, with their cities and first names.
struct Market {
    struct Place {
        let city: String
        let timeZone: String
    }

    let locale: String
    let weight: Int
    let places: [Place]
    let names: [String]

    static let all = [
        Market(
            locale: "en-US", weight: 34,
            places: [
                Place(city: "New York", timeZone: "America/New_York"),
                Place(city: "Chicago", timeZone: "America/Chicago"), Place(city: "Denver", timeZone: "America/Denver"),
                Place(city: "Los Angeles", timeZone: "America/Los_Angeles"),
            ], names: ["Olivia", "Liam", "Emma", "Noah", "Ava", "Mateo", "Sophia", "James"]),
        Market(
            locale: "zh-Hans-CN", weight: 16,
            places: [
                Place(city: "上海", timeZone: "Asia/Shanghai"), Place(city: "北京", timeZone: "Asia/Shanghai"),
            ], names: ["伟", "芳", "娜", "敏", "静", "磊"]),
        Market(
            locale: "ja-JP", weight: 10,
            places: [Place(city: "東京", timeZone: "Asia/Tokyo"), Place(city: "大阪", timeZone: "Asia/Tokyo")],
            names: ["陽菜", "蓮", "凛", "湊"]),
        Market(
            locale: "en-GB", weight: 9,
            places: [
                Place(city: "London", timeZone: "Europe/London"), Place(city: "Leeds", timeZone: "Europe/London"),
            ], names: ["Amelia", "George", "Isla", "Arthur"]),
        Market(
            locale: "de-DE", weight: 8,
            places: [
                Place(city: "Berlin", timeZone: "Europe/Berlin"), Place(city: "Köln", timeZone: "Europe/Berlin"),
            ], names: ["Mia", "Jürgen", "Emilia", "Jonas"]),
        Market(
            locale: "fr-FR", weight: 7,
            places: [Place(city: "Paris", timeZone: "Europe/Paris"), Place(city: "Lyon", timeZone: "Europe/Paris")],
            names: ["Zoé", "Léo", "Chloé", "Hugo"]),
        Market(
            locale: "pt-BR", weight: 6, places: [Place(city: "São Paulo", timeZone: "America/Sao_Paulo")],
            names: ["Helena", "João", "Alice", "Miguel"]),
        Market(
            locale: "es-MX", weight: 5, places: [Place(city: "Guadalajara", timeZone: "America/Mexico_City")],
            names: ["Sofía", "Santiago", "Ximena", "Diego"]),
        Market(
            locale: "hi-IN", weight: 3, places: [Place(city: "मुंबई", timeZone: "Asia/Kolkata")],
            names: ["आरव", "अनन्या"]),
        Market(
            locale: "ar-AE", weight: 2, places: [Place(city: "دبي", timeZone: "Asia/Dubai")], names: ["محمد", "فاطمة"]),
    ]
}

extension Array {
    /// One element, drawn by its weight. The array is not empty.
    func drawn(by weight: (Element) -> Int, _ generator: inout SeededGenerator) -> Element {
        var rest = Int.random(in: 0..<reduce(0) { $0 + weight($1) }, using: &generator)
        for element in self {
            rest -= weight(element)
            if rest < 0 { return element }
        }
        return self[endIndex - 1]
    }
}
