-- Devices report every kind of event, and conversions with a value.

ALTER TABLE events
    ADD COLUMN value numeric(18, 6),
    DROP CONSTRAINT events_kind_check,
    ADD CONSTRAINT events_kind_check CHECK (kind BETWEEN 1 AND 7),
    ADD CONSTRAINT events_text_check CHECK (octet_length(text) <= 8000 AND (text IS NULL OR kind = 6)),
    ADD CONSTRAINT events_value_check CHECK (value IS NULL OR kind = 7);

COMMENT ON COLUMN events.kind IS '1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text, 7 converted';
COMMENT ON COLUMN events.action IS 'Identifier of the action, or name of the conversion; empty for other kinds.';
COMMENT ON COLUMN events.text IS 'The reply that a person typed.';
COMMENT ON COLUMN events.value IS 'The value of a conversion, in the unit that the app chose.';
COMMENT ON COLUMN events.is_time_corrected IS
    'happened_at is not the device''s time: the device''s clock was wrong (its offset is taken into account, or the time of receipt is stored), or its time was unreadable.';

CREATE OR REPLACE VIEW acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted'])[e.kind] AS kind, e.action,
    e.text, e.happened_at, e.is_time_corrected, e.received_at, e.value
FROM events e
LEFT JOIN runs u ON u.app_id = e.app_id AND u.message_number = e.message_number;

COMMENT ON COLUMN acknowledgements.kind IS
    'delivered, presented, opened, action, dismissed, text or converted; each of them proves the delivery.';
COMMENT ON COLUMN acknowledgements.action IS 'Identifier of the action, or name of the conversion; empty for other kinds.';
COMMENT ON COLUMN acknowledgements.text IS 'The reply that a person typed.';
COMMENT ON COLUMN acknowledgements.value IS 'The value of a conversion, in the unit that the app chose.';
