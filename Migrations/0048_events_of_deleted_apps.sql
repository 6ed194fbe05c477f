-- Events have no foreign key to apps: deleting an app would wait for millions of them. Maintenance deletes them step by
-- step.

CREATE TABLE deleted_apps (
    id bigint PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE deleted_apps IS 'Apps whose events are still to be deleted.';

CREATE FUNCTION remember_deleted_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_apps (id) VALUES (OLD.id);
    RETURN NULL;
END
$$;

CREATE TRIGGER remember_deleted_app AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION remember_deleted_app();

-- Apps that were deleted before. The key of events leads with the app, so each step is one look into the index.
INSERT INTO deleted_apps (id)
WITH RECURSIVE found AS (
    (SELECT app_id FROM events ORDER BY app_id LIMIT 1)
    UNION ALL
    SELECT n.app_id FROM found f
    CROSS JOIN LATERAL (SELECT app_id FROM events WHERE app_id > f.app_id ORDER BY app_id LIMIT 1) AS n
)
SELECT app_id FROM found WHERE NOT EXISTS (SELECT FROM apps WHERE id = app_id);
