const { inOrder, takeRun, updated } = await import("/js/campaigns/list.js");
const row = (id, state, more = {}) => ({ id, state, last_run: null, next_at: null, ...more });
const ids = (rows) => rows.map(({ id }) => id);

return {
  "running comes first, then paused, then what is next, then the page": () => {
    const active = [
      row("late", "scheduled", { next_at: "2027-02-01T00:00:00Z" }),
      row("paused", "paused"),
      row("soon", "scheduled", { next_at: "2027-01-01T00:00:00Z" }),
      row("runs", "sending", { last_run: { state: "sending" } }),
    ];
    equal(ids(inOrder(active, [row("new", "draft"), row("soon", "scheduled"), row("old", "sent")])), [
      "runs",
      "paused",
      "soon",
      "late",
      "new",
      "old",
    ]);
  },
  "no campaign is in the list twice": () =>
    equal(ids(inOrder([row("a", "paused")], [row("a", "paused"), row("b", "sent")])), ["a", "b"]),
  "rows that change stay where they are, and none comes or goes": () => {
    const rows = updated([row("a", "scheduled"), row("b", "draft")], [row("c", "draft"), row("a", "sent")]);
    equal(rows.map(({ id, state }) => [id, state]), [["a", "sent"], ["b", "draft"]]);
  },
  "a run's totals come into its row, and its other members stay": () => {
    const campaign = row("a", "sending", { last_run: { id: "r", state: "sending", accepted: 1 } });
    takeRun(campaign, { state: "finished", accepted: 9 });
    equal([campaign.last_run.id, campaign.last_run.state, campaign.last_run.accepted], ["r", "finished", 9]);
  },
};
