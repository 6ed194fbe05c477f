-- Comments that say in plain words what a row is.

COMMENT ON TABLE run_minutes IS 'Counts of what happened to the pushes of a run, by minute (UTC).';
COMMENT ON TABLE app_quarters IS
    'Counts by quarter of an hour, the largest unit that the hours of all time zones consist of.';
COMMENT ON TABLE message_totals IS
    'Outcomes and events of the pushes that were sent on a day (UTC), in total and by their properties.';
COMMENT ON TABLE quarter_days IS
    'Counts in the quarters of an hour of a past day (UTC). app_quarters has those that are not merged yet.';
COMMENT ON VIEW events_by_quarter IS
    'Counts by quarter of an hour. Sum the quarters of an hour or a day of your time zone.';
COMMENT ON VIEW events_daily IS 'Counts by day (UTC) and campaign.';
COMMENT ON VIEW breakdowns IS
    'Outcomes and events of the pushes that were sent on a day (UTC), in total and by a property. Filter by dimension.';
