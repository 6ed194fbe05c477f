await (await import("/js/i18n.js")).loadTexts("history");
const { campaignsIn, conditionText, nested, read } = await import("/js/why/conditions.js");
const line = (depth, text = String(depth)) => ({ depth, text });
const shape = (nodes) => nodes.map(({ text, parts }) => [text, shape(parts)]);

return {
  "lines of the server are read as the conditions that they were": () =>
    equal(
      [
        "app version at least 4.2",
        "language is en or fr",
        "locale is not de-DE",
        "city is Berlin or “Bad Homburg, Hesse or so”",
        "city is “here or there”",
        "tag vip",
        "opted out of news",
        "not opted out of all campaigns",
        "no test device",
        "last seen more than 30 days ago",
        "added in the last day",
        "user id is a, b or c",
        "score above 3.5",
        "plan is true",
        "nickname is known",
        "accepted in campaign 7 run 12 variant 1 without engaged",
        "engaged with campaign 7 run 12 in the last 3 days",
      ].map(read),
      [
        { field: "app_version", op: "at_least", value: "4.2" },
        { field: "language", op: "in", value: ["en", "fr"] },
        { field: "locale", op: "is_not", value: "de-DE" },
        { attribute: "city", op: "in", value: ["Berlin", "Bad Homburg, Hesse or so"] },
        { attribute: "city", op: "is", value: "here or there" },
        { tag: "vip" },
        { opted_out: "news" },
        { not: { opted_out: "*" } },
        { field: "is_test", op: "is", value: false },
        { field: "last_seen_at", op: "older_than_days", value: 30 },
        { field: "created_at", op: "within_days", value: 1 },
        { user_ids: ["a", "b", "c"] },
        { attribute: "score", op: "above", value: "3.5" },
        { attribute: "plan", op: "is", value: true },
        { attribute: "nickname", op: "exists", value: true },
        { outcome: "accepted", campaign: "7", run: "12", variant: 1, without: "engaged" },
        { event: "engaged", campaign: "7", run: "12", within_days: 3 },
      ],
    ),
  "what people did is read with its campaign, button and days": () =>
    equal(
      [
        "opened campaign 15 in the last 7 days",
        "tapped a button of any campaign",
        "tapped “buy now” of campaign 3",
        "replied to any campaign in the last day",
        "not opened any campaign",
        "converted purchase after campaign 2",
      ].map(read),
      [
        { event: "opened", campaign: "15", within_days: 7 },
        { event: "action" },
        { event: "action", campaign: "3", action: "buy now" },
        { event: "text", within_days: 1 },
        { not: { event: "opened" } },
        { event: "converted", campaign: "2", action: "purchase" },
      ],
    ),
  "what can't be read is said as the server says it": () =>
    equal(["user id is a, b, c or one of 9 more", "phase waxes"].map((text) => conditionText(text)), [{
      text: "user id is a, b, c or one of 9 more",
      isOwn: false,
    }, { text: "phase waxes", isOwn: false }]),
  "conditions are said as the audience's page says them": () =>
    equal(
      [
        "app version at least 4.2",
        "opened campaign 15 in the last 7 days",
        "city is Berlin",
        "any of",
        "opted out of all campaigns",
      ].map((text) => conditionText(text, { 15: "Moon Lovers" }).text),
      [
        "App version is at least 4.2",
        "The person opened “Moon Lovers” in the last 7 days",
        "city is Berlin",
        "Any of these",
        "The person opted out of all campaigns",
      ],
    ),
  "campaigns are named once": () =>
    equal(
      campaignsIn([
        line(0, "opened campaign 15"),
        line(0, "not delivered campaign 2"),
        line(1, "not was delivered campaign 2"),
        line(1, "dismissed campaign 15"),
      ]),
      ["15", "2"],
    ),
  "deeper lines are parts of the one before": () =>
    equal(shape(nested([line(0), line(1), line(2), line(2), line(1), line(0)])), [["0", [
      ["1", [["2", []], ["2", []]]],
      ["1", []],
    ]], ["0", []]]),
};
