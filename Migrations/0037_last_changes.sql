-- The last change of a resource is found without reading the log.

CREATE INDEX audit_log_resource ON audit_log (resource, id);
