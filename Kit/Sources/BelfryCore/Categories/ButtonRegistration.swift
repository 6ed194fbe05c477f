/// Decides which categories a service extension sets for the buttons of a push. `setNotificationCategories(_:)` replaces
/// the whole set, so the categories of the app and of the server stay, and of those for buttons the ones that a
/// notification still needs: otherwise each push with new buttons would leave one for ever.
package struct ButtonRegistration: Sendable {
    /// The beginning of the identifiers of such categories, which no other category may have.
    package static let prefix = "belfry.buttons."
    /// Categories that are kept although no notification on the screen has them: those of pushes that are on their way
    /// to it.
    static let maximumRecent = 20

    private var recent: [String] = []

    /// Nothing has been registered by this process.
    package init() {}

    /// The categories to leave out while the new one is set; nil if it is registered already, which needs no call.
    ///
    /// `present` are the identifiers that `getNotificationCategories` returns, `shown` those of the notifications that
    /// `getDeliveredNotifications` returns.
    package mutating func register(_ identifier: String, present: [String], shown: [String]) -> [String]? {
        recent.append(identifier)
        if recent.count > Self.maximumRecent { recent.removeFirst() }
        guard !present.contains(identifier) else { return nil }
        return present.filter { Self.isForButtons($0) && !shown.contains($0) && !recent.contains($0) }
    }

    /// The app registers its categories without touching these.
    package static func isForButtons(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    /// Equal buttons have one category. Their links are no part of it, so pushes whose links differ share it, too.
    package static func identifier(of buttons: [Push.Button]) -> String {
        // FNV-1a with 64 bits: the hashes of Swift differ from process to process, and a cryptographic one needs a
        // framework. http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ text: String) {
            // The byte at the end is in no text of UTF-8.
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        for button in buttons {
            add(button.id)
            add(button.title)
            add("\(button.link != nil) \(button.isDestructive)")
        }
        return prefix + String(hash, radix: 16)
    }
}
