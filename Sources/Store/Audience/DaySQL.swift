import Campaigns
import Notifications
import Postgres

/// "Today" in conditions about days, as texts that dates are compared with.
struct DaySQL {
    /// Nil: the date in the app's default time zone.
    private let days: AudienceDays?
    private let app: App.ID

    init(_ days: AudienceDays?, app: App.ID) {
        self.days = days
        self.app = app
    }

    /// Joins the index of the day of each device `d` as `day`; empty if there is one day for all.
    var join: PostgresQuery {
        guard let days, !days.zones.isEmpty else { return "" }
        return "LEFT JOIN unnest(\(days.zones), \(days.indexes)) AS day (zone, index) ON day.zone = d.time_zone"
    }

    /// Like `2026-11-30`, this number of days after today.
    func date(_ offset: Int) -> PostgresQuery {
        text({ $0.adding(offset).text }, ofApp: "(SELECT to_char(\(today(offset)), 'YYYY-MM-DD'))")
    }

    /// Like `-11-30`.
    func yearless(_ offset: Int) -> PostgresQuery {
        text({ Self.yearless($0.adding(offset)) }, ofApp: "(SELECT to_char(\(today(offset)), '-MM-DD'))")
    }

    /// 29 February, if the day is the last of its February; else the day itself.
    func leapDay(_ offset: Int) -> PostgresQuery {
        text(
            { Self.yearless($0.adding(offset + 1)) == "-03-01" ? "-02-29" : Self.yearless($0.adding(offset)) },
            ofApp: """
                (SELECT CASE to_char(\(today(offset + 1)), '-MM-DD')
                    WHEN '-03-01' THEN '-02-29' ELSE to_char(\(today(offset)), '-MM-DD') END)
                """)
    }

    /// Computed once for each day, not for each device.
    private func text(_ text: (CivilDay) -> String, ofApp: PostgresQuery) -> PostgresQuery {
        guard let days else { return ofApp }
        let texts = days.days.map(text)
        return days.zones.isEmpty ? "\(texts[0])" : "(\(texts))[coalesce(day.index, 0) + 1]"
    }

    private func today(_ offset: Int) -> PostgresQuery {
        """
        (SELECT (now() AT TIME ZONE default_time_zone)::date FROM apps WHERE id = \(app)) + \(Int32(offset))
        """
    }

    private static func yearless(_ day: CivilDay) -> String { String(day.text.suffix(6)) }
}

extension CivilDay {
    fileprivate func adding(_ days: Int) -> CivilDay { CivilDay(number: number + days) }
}
