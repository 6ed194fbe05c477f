const { language, setLanguage } = await import("/js/i18n.js");
const { sentence } = await import("/js/audience/sentence.js");
const { ruleWords } = await import("/js/schedule/words.js");

async function both(make) {
  const english = make();
  await setLanguage("zh");
  const chinese = make();
  await setLanguage(language);
  return [english, chinese];
}

return {
  "a button is one of a campaign": async () => {
    const audience = { include: { not: { event: "action", campaign: "1", action: "reply" } } };
    equal(await both(() => sentence(audience, { campaigns: { 1: "Sale" } })), [
      "Devices where the person did not press the button “reply” of “Sale”.",
      "满足以下条件的设备：未点按“Sale”的按钮“reply”。",
    ]);
  },
  "a conversion has a name": async () =>
    equal(await both(() => sentence({ include: { event: "converted", within_days: 7, action: "order" } })), [
      "Devices where the person converted to “order” after any campaign in the last 7 days.",
      "满足以下条件的设备：最近 7 天内曾在任意活动后完成转化“order”。",
    ]),
  "an outcome is one of a run": async () => {
    const outcome = { outcome: "accepted", campaign: "1", run: "2", variant: 1, without: "engaged" };
    const names = { campaigns: { 1: "Sale" }, runTime: () => "9:00", variant: () => "B" };
    equal(await both(() => sentence({ include: outcome, exclude: { not: outcome } }, names)), [
      "Devices where the device got “Sale” (run of 9:00, variant B) and the person did not engage with it, " +
      "except where " +
      "not (the device got “Sale” (run of 9:00, variant B) and the person did not engage with it).",
      "满足以下条件的设备：已收到“Sale”（9:00 的批次，方案 B），但与该推送无互动；排除：并非（已收到“Sale”（9:00 的批次，方案 B），但与该推送无互动）。",
    ]);
  },
  "a custom event has a number and tests": async () => {
    const event = { event_name: "purchase", at_least: 2, within_days: 30, where: { plan: "pro" } };
    equal(await both(() => sentence({ include: event, exclude: { event_name: "refund", within_days: 1 } })), [
      "Devices where the event “purchase” happened at least 2 times (where plan is pro) in the last 30 days, " +
      "except where the event “refund” happened in the last day.",
      "满足以下条件的设备：最近 30 天内事件“purchase”发生至少 2 次（其中 plan 是 pro）；排除：最近 1 天内事件“refund”发生至少 1 次。",
    ]);
  },
  "each week is not every 1 weeks": async () =>
    equal(await both(() => ["FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=DAILY;INTERVAL=2"].map((rule) => ruleWords({ rule }))), [
      ["every week on Mon and Wed", "every 2 days"],
      ["每周的周一和周三", "每 2 天"],
    ]),
};
