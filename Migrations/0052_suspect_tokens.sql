-- Tokens that Apple reported once as belonging to another topic. If the next run reports them again, their devices are
-- retired; Apple punishes who pushes to bad tokens for ever.
CREATE TABLE suspect_tokens (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    run_id bigint NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, device_id),
    FOREIGN KEY (app_id, device_id) REFERENCES devices (app_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE suspect_tokens IS
    'Tokens that Apple rejected in one run whose other pushes were accepted. Another such run retires their devices.';
