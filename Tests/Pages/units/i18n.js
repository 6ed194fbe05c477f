const { language, loadTexts, relative, setLanguage, share, t } = await import("/js/i18n.js");
const { stopped } = await import("/js/phrases.js");
const { countdown } = await import("/js/campaigns/when.js");
const now = new Date("2026-11-24T13:58:00");
const relativeText = (time) => relative(new Date(time), now);

return {
  "Chinese has a space where characters meet letters or figures of a value": async () => {
    await setLanguage("zh");
    const shown = ["Nick", "小王", "3 号"].map((name) => t("person.removeOne", { name }));
    await setLanguage(language);
    equal(shown, ["移除 Nick", "移除小王", "移除 3 号"]);
  },
  "a sentence ends with the full stop of its script": () =>
    equal(["Is too long", "Is too long.", "须为数字（1 到 5）", "不能为空", "不能为空。"].map(stopped), [
      "Is too long.",
      "Is too long.",
      "须为数字（1 到 5）。",
      "不能为空。",
      "不能为空。",
    ]),
  "a time in less than a day is counted in hours": () => equal(relativeText("2026-11-25T09:00:00"), "in 19 hr"),
  "tomorrow is the day after today, not a time in 24 to 48 hours": () =>
    equal([relativeText("2026-11-25T14:00:00"), relativeText("2026-11-26T09:00:00")], ["tomorrow", "in 2 days"]),
  "a local time has no hours to count": () =>
    equal([
      countdown("2026-11-25T09:00:00", now),
      countdown("2026-11-24T20:00:00", now),
      countdown("2026-11-24T20:00:00Z", new Date("2026-11-24T18:00:00Z")),
    ], ["tomorrow", "today", "in 2 hr"]),
  "a part that is asked for while the language changes is in the new language": async () => {
    const search = async (code) => (await import(`/js/text/replies/${code}.js`)).default.repliesPage.search;
    await Promise.all([setLanguage("zh"), loadTexts("replies")]);
    const shown = t("repliesPage.search");
    await setLanguage(language);
    equal([shown, t("repliesPage.search")], [await search("zh"), await search(language)]);
  },
  "a share is rounded half up, to one decimal": () =>
    equal([share(469, 10_000), share(45, 1_000), share(1, 8, 0), share(0.285, 1), share(1, 3)], [
      "4.7%",
      "4.5%",
      "13%",
      "28.5%",
      "33.3%",
    ]),
  "100% and 0% are exact": () =>
    equal([
      share(9_999, 10_000),
      share(10_000, 10_000),
      share(1, 10_000),
      share(0, 10_000),
      share(999, 1_000, 0),
      share(1, 1_000, 0),
    ], ["99.9%", "100%", "<0.1%", "0%", "99%", "<1%"]),
  "a share of nothing is none": () => equal([share(0, 0), share(null, 5)], ["–", "–"]),
  "yesterday is the day before today": () =>
    equal([relativeText("2026-11-23T09:00:00"), relativeText("2026-11-22T20:00:00")], ["yesterday", "2 days ago"]),
};
