-- Values that the API call which triggered a run gave for its content.

ALTER TABLE runs
    ADD COLUMN values jsonb,
    ADD CONSTRAINT runs_values_are_an_object
        CHECK (jsonb_typeof(values) = 'object' AND pg_column_size(values) <= 16384);

COMMENT ON COLUMN runs.values IS
    'Values of the API call that triggered the run; in its content they replace attributes with the same names. Null: none.';
