-- The batches whose range of ids includes a device are found in a space-partitioned index. Small and large ranges overlap,
-- so the tree of 0054 read half of its pages for one device; and the batches themselves, which this one need not read.
DROP INDEX batches_range;
CREATE INDEX batches_range ON batches USING spgist (box(point(app_id, first_id), point(app_id, last_id)))
    INCLUDE (app_id, first_id, last_id, run_id, id)
    WHERE run_id IS NOT NULL;
