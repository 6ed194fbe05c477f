import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Notification categories: edited by people, registered by apps, and available as source code for developers.
struct CategoryRoutes: RouteGroup {
    let apps: AppStore
    let categories: CategoryStore
    let registered: RegisteredCategories

    /// In bytes: room for ten actions in all languages of an app.
    static let bodyLimit = 256 * 1024

    /// The iOS API that an app registers its categories with.
    private enum Form: String, CaseIterable {
        /// UserNotifications.
        case un
        /// UIMutableUserNotificationCategory.
        case ios8
    }

    private enum Language: String, CaseIterable {
        case swift
        case objectiveC = "objective_c"
        case infoPlist = "info_plist"
        case strings
    }

    private let common = ResourceRoutes<Category>(
        resource: .category, path: "/categories", reading: .contentRead, writing: .contentWrite)

    func add(to routes: inout Routes) {
        addEditing(to: &routes)
        routes.addForApp(.get, "/categories", for: .permission(.contentRead), query: Paging.parameters + ["archived"]) {
            [apps, categories] call in
            let page: Page<Category.ID> = try Paging.page(call.request)
            let isArchived = try call.request.flag("archived") ?? false
            let all = try await categories.all(app: call.app)
            if all.isEmpty { _ = try await apps.find(call.app) }
            let shown = all.filter {
                ($0.archivedAt != nil) == isArchived && $0.id < page.cursor ?? Category.ID(rawValue: .max)
            }.prefix(page.limit)
            return Paging.response(Array(shown), page, id: \.id) { $0.json(among: all) }
        }
        routes.addForApp(
            .get, "/categories/registration", for: .publishable(or: .contentRead), query: ["locale", "form"]
        ) { [apps, registered] call in
            let locale = try call.request.locale()
            let form = try call.request.choice("form", otherwise: Form.un)
            let found = try await registered.categories(of: call.app)
            if found.isEmpty { _ = try await apps.find(call.app) }
            let list = found.map { category in
                switch form {
                case .un: category.appJSON(for: locale)
                case .ios8: LegacyCategory(category).appJSON(for: locale)
                }
            }
            return .json(["form": .string(form.rawValue), "categories": .array(list)], version: 1)
        }
        routes.addForApp(
            .get, "/categories/source", for: .permission(.contentRead), query: ["language", "form", "locale"]
        ) { [apps, registered] call in
            let language = try call.request.choice("language", otherwise: Language.swift)
            let form = try call.request.choice("form", otherwise: Form.un)
            let locale = try call.request.locale()
            let found = try await registered.categories(of: call.app)
            if found.isEmpty { _ = try await apps.find(call.app) }
            return .text(try Self.source(of: found, language, form, locale))
        }
    }

    private func addEditing(to routes: inout Routes) {
        routes.addForApp(
            .post, "/categories", for: .permission(.contentWrite), bodyLimit: Self.bodyLimit, takesIdempotencyKey: true
        ) { [categories] call in
            let category = try Category(json: .object(try await ObjectReader.members(of: call.request)))
            let made = try await categories.create(app: call.app, category)
            return .json(made.json(among: try await categories.all(app: call.app)), version: 1, status: .created)
                .located(at: call.path("categories", made.id))
        }
        routes.addForApp(.get, "/categories/{category}", for: .permission(.contentRead)) { [categories] call in
            let found = try await categories.find(call.category, app: call.app)
            return .json(found.json(among: try await categories.all(app: call.app)), version: found.version)
        }
        routes.addForApp(
            .patch, "/categories/{category}", for: .permission(.contentWrite), bodyLimit: Self.bodyLimit
        ) { [categories] call in
            let match = try IfMatch.required(call.request, of: "category")
            let current = try await categories.find(call.category, app: call.app)
            try match.check(current.version)
            let members = try await ObjectReader.members(of: call.request)
            let edited = try await categories.update(
                current.id, app: call.app, version: current.version,
                to: try Category(json: current.value.json.replacing(members)))
            return .json(edited.json(among: try await categories.all(app: call.app)), version: edited.version)
        }
        for (action, isArchived) in [("archive", true), ("unarchive", false)] {
            routes.addForApp(.post, "/categories/{category}/\(action)", for: .permission(.contentWrite)) {
                [categories] call in
                try await ObjectReader.refuseBody(call.request)
                let moved = try await categories.archive(
                    isArchived, call.category, app: call.app, expectedVersion: call.expectedVersion)
                return .json(moved.json(among: try await categories.all(app: call.app)), version: moved.version)
            }
        }
        common.addDeletion(to: &routes) { [categories] id, app, version in
            try await categories.delete(id, app: app, expectedVersion: version)
        }
    }

    private static func source(
        of categories: [Category], _ language: Language, _ form: Form, _ locale: LocaleTag?
    ) throws(APIError) -> String {
        switch (language, form) {
        case (.swift, .un): return CategorySource.swift(categories)
        case (.swift, .ios8): return CategorySource.legacySwift(categories)
        case (.objectiveC, .un): return CategorySource.objectiveC(categories)
        case (.objectiveC, .ios8): return CategorySource.legacyObjectiveC(categories)
        case (.strings, _):
            guard let locale else {
                throw .localeMissing
            }
            return CategorySource.strings(categories, for: locale)
        case (.infoPlist, .un):
            let fragments = categories.compactMap(\.infoPlistFragment)
            return fragments.isEmpty
                ? "<!-- No category of this app has a content extension. -->\n" : fragments.joined(separator: "\n")
        case (.infoPlist, .ios8):
            throw .invalidForm
        }
    }
}

extension AppCall {
    fileprivate var category: Category.ID {
        get throws { try id("category", .category) }
    }
}

extension CategoryRecord {
    fileprivate func json(among all: [CategoryRecord]) -> JSON {
        guard case .object(let members) = value.json else { return value.json }
        return .object(self.members(members, warnings: warnings(among: all)))
    }
}

extension JSON {
    /// The object with these members replaced or added; null removes a member.
    func replacing(_ members: [Member]) -> JSON {
        guard case .object(var all) = self else { return self }
        for member in members {
            if let index = all.firstIndex(where: { $0.key == member.key }) {
                all[index].value = member.value
            } else {
                all.append(member)
            }
        }
        return .object(all.filter { $0.value != .null })
    }
}
