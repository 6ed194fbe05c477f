const { language, dayAndClock, duration, relative, setLanguage, t } = await import("/js/i18n.js");
const { clauses, conditions, enumeration, labelled, list, sentences, statements, withAddition } = await import(
  "/js/phrases.js"
);
const { completion } = await import("/js/audience/options.js");
const { sentence } = await import("/js/audience/sentence.js");

/** What both languages make of it. */
async function both(make) {
  const english = make();
  await setLanguage("zh");
  const chinese = make();
  await setLanguage(language);
  return [english, chinese];
}

return {
  "a day of the week and a clock time are put together by the language": async () => {
    const moment = Date.UTC(2031, 5, 1, 9, 0);
    const [english, chinese] = await both(() => dayAndClock(moment, { timeZone: "UTC" }));
    equal([/^Sun.* 1 Jun 2031, 09:00$/.test(english), chinese], [true, "2031年6月1日周日 09:00"]);
  },
  "Chinese joins nouns with 、 and 和, with spaces at letters": async () =>
    equal([await both(() => list(["iOS", "德语", "App 版本"])), await both(() => enumeration(["德语", "b", "c"]))], [
      ["iOS, 德语 and App 版本", "iOS、德语和 App 版本"],
      ["德语, b, c", "德语、b、c"],
    ]),
  "Chinese joins clauses with commas": async () => {
    const parts = ["12 行可以导入", "3 行会被拒绝"];
    equal(await both(() => clauses(parts)), ["12 行可以导入, 3 行会被拒绝", "12 行可以导入，3 行会被拒绝"]);
    equal(await both(() => conditions(["a", "b"], "conjunction")), ["a and b", "a，且 b"]);
    equal(await both(() => statements(["a", "b"])), ["a; b", "a；b"]);
  },
  "the conditions of an audience are clauses": async () => {
    const audience = { include: { any: [{ tag: "vip" }, { opted_out: "news" }] } };
    equal((await both(() => sentence(audience)))[1], "满足以下条件的设备：带有标签 vip，或已退订 news。");
  },
  "sentences have a space between them in English only": async () =>
    equal(await both(() => sentences(["一。", null, "二。"])), ["一。 二。", "一。二。"]),
  "a label and an addition have the punctuation of the language": async () =>
    equal(await both(() => [labelled("a", "b"), withAddition("a", "b")]), [["a: b", "a (b)"], ["a：b", "a（b）"]]),
  "a suggestion keeps its words apart": async () =>
    equal(
      (await both(() => completion("language", { value: "de", share: 0.12 }))).map(({ label }) => label),
      ["German, 12%", "德语，12%"],
    ),
  "durations and distances have spaces in Chinese": async () => {
    const now = new Date("2026-11-24T13:58:00");
    equal((await both(() => [duration(72_000), relative(new Date("2026-11-27T09:00:00"), now)]))[1], [
      "1 分钟 12 秒",
      "3 天后",
    ]);
  },
  "a space of a text is left out between Chinese characters": async () => {
    const shown = (name) => t("list.select", { name });
    equal((await both(() => ["小王", "Nick", "3 号"].map(shown)))[1], ["选择小王", "选择 Nick", "选择 3 号"]);
  },
};
