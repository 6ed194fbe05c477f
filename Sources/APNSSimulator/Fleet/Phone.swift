import Crypto

/// One virtual phone. All its values are derived from the seed and its number, so a million phones take no memory.
struct Phone {
    let token: [UInt8]
    /// A secret that the app generated, 32 hexadecimal digits.
    let installation: String
    let market: Market
    let timeZone: String
    let city: String
    let firstName: String
    let plan: String
    let osVersion: String
    let appVersion: String
    let model: String
    let userID: String?
    let isDenied: Bool
    let isUninstalled: Bool
    /// Whether the phone registers with the wrong environment.
    let hasWrongEnvironment: Bool

    static let tokenLength = 32
    static let longTokenLength = 80

    init(number: Int, seed: UInt64, shares: FleetConfiguration.Shares) {
        var generator = SeededGenerator(seed: Hash64.mix(seed) ^ UInt64(number) &* 0xd134_2543_de82_ef95)
        func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

        let length = happens(shares.longToken) ? Self.longTokenLength : Self.tokenLength
        token = Self.bytes(length, &generator)
        installation = Hex.encode(Self.bytes(16, &generator))
        market = Market.all.drawn(by: \.weight, &generator)
        let place = market.places[Int.random(in: 0..<market.places.count, using: &generator)]
        city = place.city
        timeZone = place.timeZone
        firstName = market.names[Int.random(in: 0..<market.names.count, using: &generator)]
        plan = Population.plans.drawn(by: \.weight, &generator).value
        osVersion = Population.osVersions.drawn(by: \.weight, &generator).value
        appVersion = Population.appVersions.drawn(by: \.weight, &generator).value
        model = Population.models.drawn(by: \.weight, &generator).value
        userID = happens(Population.signedIn) ? "user-\(number)" : nil
        isDenied = happens(shares.denied)
        isUninstalled = happens(shares.uninstalled)
        hasWrongEnvironment = happens(shares.wrongEnvironment)
    }

    private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    /// The body of the registration request. No value in it needs escaping in JSON.
    func registration(as environment: SimulatorConfiguration.Environment) -> String {
        let name = environment == .production ? "production" : "development"
        let own = #""city":"\#(city)""#
        let personal = #""first_name":"\#(firstName)","plan":"\#(plan)""#
        // Without a user, the app has asked for the name on this phone only.
        let facts =
            userID.map { #""user_id":"\#($0)","person":{"attributes":{\#(personal)}},"attributes":{\#(own)}"# }
            ?? #""attributes":{\#(personal),\#(own)}"#
        return """
            {"token":"\(Hex.encode(token))","environment":"\(name)","locale":"\(market.locale)",\
            "time_zone":"\(timeZone)","os_version":"\(osVersion)","app_version":"\(appVersion)",\
            "model":"\(model)","authorization_status":"\(isDenied ? "denied" : "authorized")",\(facts)}
            """
    }
}
