public import Campaigns
import Notifications
import Postgres

extension StatisticsStore {
    /// The counts by the language of the text that devices got; an empty value stands for the default payload. The
    /// language follows from a device's locale when the push was sent. The scope should name campaigns or a run: every run
    /// is read.
    public func totalsByLanguage(app: App.ID, _ scope: Scope) async throws -> [(value: String, counts: Counts)] {
        let languages = try await languages(app: app, scope)
        let rows = try await pool.query(
            """
            SELECT message_number, value, measure, sum(count)::bigint, trim_scale(sum(amount))::text
            FROM message_totals WHERE \(Self.condition(scope, .locale, app: app))
            GROUP BY 1, 2, 3
            """)
        var groups: [String: Counts] = [:]
        for row in rows {
            let message: Int64 = try row[0]
            guard let measure = Measure(rawValue: try row[2]) else { continue }
            let language = languages[message]?.language(for: try row[1]) ?? ""
            groups[language, default: Counts()].add(try row[3], of: measure, amount: try row[4])
        }
        return groups.map { ($0.key, $0.value) }.sorted {
            ($1.counts.targeted, $0.value) < ($0.counts.targeted, $1.value)
        }
    }

    /// The locales of a run's content.
    private struct Languages {
        let defaultLocale: String
        let locales: [LocaleTag: String]

        func language(for locale: String) -> String? {
            let tag = LocaleTag.locale(locale.isEmpty ? defaultLocale : locale)
            return tag?.best(among: locales.keys, standard: .locale(defaultLocale)).flatMap { locales[$0] }
        }
    }

    /// Contents in several languages, by message number.
    private func languages(app: App.ID, _ scope: Scope) async throws -> [Int64: Languages] {
        let rows = try await pool.query(
            """
            SELECT m.message_number, r.default_locale,
                ARRAY(SELECT json_object_keys(coalesce(m.content, v.content) -> 'variants'))
            FROM runs r
            JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            LEFT JOIN template_versions v
                ON v.app_id = m.app_id AND v.template_id = m.template_id AND v.version = m.template_version
            WHERE r.app_id = \(app) AND (\(scope.run) IS NULL OR r.id = \(scope.run))
                AND (\(scope.campaigns == nil) OR r.campaign_id = ANY (\((scope.campaigns ?? []).map(\.rawValue))))
            """)
        var languages: [Int64: Languages] = [:]
        for row in rows {
            let locales: [String] = try row[2]
            guard !locales.isEmpty else { continue }
            languages[try row[0]] = Languages(
                defaultLocale: try row[1],
                locales: Dictionary(
                    locales.compactMap { locale in (try? LocaleTag(locale)).map { ($0, locale) } }
                ) { first, _ in first })
        }
        return languages
    }
}
