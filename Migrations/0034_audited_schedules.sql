-- What Belfry does by itself, because a time has come, is in the audit log, too.

ALTER TABLE audit_log DROP CONSTRAINT audit_log_actor_kind_check;
ALTER TABLE audit_log ADD CHECK (actor_kind IN ('user', 'key', 'console', 'schedule', 'nobody'));
