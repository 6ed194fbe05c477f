import Foundation

extension Client {
    /// All that the kit knows about categories, in one file.
    struct StoredCategories: Codable, Sendable {
        var copy = ServerCopy<CategoryList>()
        var registration = CategoryRegistration()
        /// The language of the copy.
        var locale: String?
        /// The server's revision of the copy.
        var revision: String?
    }

    /// Asks the server for the categories in a language. Returns the newest that the device has, also offline; nil if it
    /// never had any.
    public func categories(locale: String) async -> [NotificationCategory]? {
        let stored = StoredValue<StoredCategories>("categories", in: folder)
        var known = stored.value() ?? StoredCategories()
        let before = (known.locale, known.revision)
        let newest = (locale, revisions?.categories)
        if newest.1 != nil, before == newest, let value = known.copy.value { return value.categories }
        if known.locale != locale { known.copy.forgetTag() }
        if await fetch(["categories", "registration"], query: [("locale", locale)], into: &known.copy) {
            reportUnreadable(known.copy.value?.unreadableCount, "categories")
            (known.locale, known.revision) = newest
            write(known, to: stored)
        }
        return known.copy.value?.categories
    }

    /// The categories to set now, given the identifiers that `getNotificationCategories` returns. Ask immediately before
    /// setting, and never from an extension.
    public func categoryAction(present: Set<String>) -> CategoryRegistration.Action {
        let stored = StoredValue<StoredCategories>("categories", in: folder)
        guard var known = stored.value(), let categories = known.copy.value?.categories else { return .none }
        let action = known.registration.update(to: categories, present: present)
        if action != .none { write(known, to: stored) }
        return action
    }
}
