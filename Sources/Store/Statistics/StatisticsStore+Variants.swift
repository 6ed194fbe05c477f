public import Campaigns
import Notifications
import Postgres

extension StatisticsStore {
    /// The counts by the content's variant that devices got, by its locale; an empty value stands for the default
    /// payload. The variant follows from a device's locale when the push was sent. The scope should name campaigns or a
    /// run: every run is read.
    public func totalsByVariant(app: App.ID, _ scope: Scope) async throws -> [(value: String, counts: Counts)] {
        let variants = try await variants(app: app, scope)
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
            let variant = variants[message]?.variant(for: try row[1]) ?? ""
            groups[variant, default: Counts()].add(try row[3], of: measure, amount: try row[4])
        }
        return groups.map { ($0.key, $0.value) }.sorted {
            ($1.counts.targeted, $0.value) < ($0.counts.targeted, $1.value)
        }
    }

    /// The locales of a run's content.
    private struct Variants {
        let defaultLocale: String
        let locales: [LocaleTag: String]

        func variant(for locale: String) -> String? {
            let tag = LocaleTag.locale(locale.isEmpty ? defaultLocale : locale)
            return tag?.best(among: locales.keys, standard: .locale(defaultLocale)).flatMap { locales[$0] }
        }
    }

    /// Runs whose content has variants, by message number.
    private func variants(app: App.ID, _ scope: Scope) async throws -> [Int64: Variants] {
        let rows = try await pool.query(
            """
            SELECT r.message_number, r.default_locale,
                ARRAY(SELECT json_object_keys(v.content -> 'variants'))
            FROM runs r
            JOIN template_versions v
                ON v.app_id = r.app_id AND v.template_id = r.template_id AND v.version = r.template_version
            WHERE r.app_id = \(app) AND (\(scope.run) IS NULL OR r.id = \(scope.run))
                AND (\(scope.campaigns == nil) OR r.campaign_id = ANY (\((scope.campaigns ?? []).map(\.rawValue))))
            """)
        var variants: [Int64: Variants] = [:]
        for row in rows {
            let locales: [String] = try row[2]
            guard !locales.isEmpty else { continue }
            variants[try row[0]] = Variants(
                defaultLocale: try row[1],
                locales: Dictionary(
                    locales.compactMap { locale in (try? LocaleTag(locale)).map { ($0, locale) } }
                ) { first, _ in first })
        }
        return variants
    }
}
