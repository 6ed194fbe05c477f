const { conditionOf, conditionOfList } = await import("/js/follow-up/choices.js");
const { followUpTime } = await import("/js/follow-up/when.js");
const { requestOf } = await import("/js/follow-up/create.js");

const run = { id: "12", campaign_id: "7" };
const sent = { campaign: "7", run: "12" };
const noon = (day) => new Date(2030, 0, day, 12).getTime();
const time = (values) => followUpTime({ ended: noon(1), days: 2, hour: "18:00", now: noon(1), ...values });

return {
  "those who did not engage got the push": () =>
    equal(conditionOf("notEngaged", run), { outcome: "accepted", ...sent, without: "engaged" }),
  "those who replied reported it": () => equal(conditionOf("replied", run), { event: "text", ...sent }),
  "a list is the same audience where that can say it": () =>
    equal(
      [
        { kind: "suppressed" },
        { kind: "accepted", engaged: "false", variant: "1" },
        { opened: "true" },
        { kind: "accepted", event: "action" },
        { page: "2", kind: "accepted" },
      ].map((query) => conditionOfList(query, run)),
      [
        { outcome: "suppressed", ...sent },
        { outcome: "accepted", ...sent, variant: 1, without: "engaged" },
        { event: "opened", ...sent },
        { all: [{ outcome: "accepted", ...sent }, { event: "action", ...sent }] },
        { outcome: "accepted", ...sent },
      ],
    ),
  "a list that an audience can't say is none": () =>
    equal(
      [
        {},
        { kind: "pending" },
        { engaged: "false" },
        { kind: "suppressed", reason: "quiet hours" },
        { kind: "accepted", locale: "de" },
        { kind: "rejected", opened: "false" },
      ].map((query) => conditionOfList(query, run)),
      [null, null, null, null, null, null],
    ),
  "it is sent some days after the run": () => equal(time(), { at: "2030-01-03T18:00:00", isLater: false }),
  "where those days are over, it is sent tomorrow": () =>
    equal([time({ now: noon(9) }), time({ days: 0 })], [
      { at: "2030-01-10T18:00:00", isLater: true },
      { at: "2030-01-02T18:00:00", isLater: true },
    ]),
  "the draft has the text of one variant, and the rules of the campaign": () => {
    const campaign = {
      name: "Moon Lovers",
      variants: [{ payload: { a: 1 } }, { template: "3", template_version: 2, payload: null }],
      push_type: "alert",
      topic: "news",
      collapse_id: "same",
      pushes_per_second: null,
    };
    const { name: _, ...request } = requestOf({
      campaign,
      condition: { tag: "x" },
      at: "2030-01-01T18:00:00",
      place: 1,
    });
    const own = { payload: null, content: { payload: { a: 1 } }, push_type: "alert" };
    equal(requestOf({ campaign: { name: "Own", ...own }, condition: {}, at: "" }).content, own.content);
    equal(request, {
      template: "3",
      template_version: 2,
      topic: "news",
      audience: { include: { tag: "x" } },
      schedule: { kind: "local", at: "2030-01-01T18:00:00", if_past: "next_day" },
    });
  },
};
