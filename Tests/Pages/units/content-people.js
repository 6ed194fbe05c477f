const { longestOf, madeUp, personFor } = await import("/js/content/people.js");
const people = ["ja", "en-GB", "zh-Hans-CN", "en"].map((locale) => ({ id: `of ${locale}`, locale }));
const found = (chosen, locale) => personFor(people, chosen, locale)?.id;

return {
  "the phone is that of a person who speaks the shown language": () =>
    equal([found(null, "en"), found(null, "en-US"), found(null, "zh-Hant")], ["of en", "of en-GB", "of zh-Hans-CN"]),
  "the reader's choice holds for all languages": () =>
    equal([found("of ja", "en"), found("of ja", "zh")], ["of ja", "of ja"]),
  "without a person of the language it is the first": () =>
    equal([found(null, "fr"), found("gone", "fr")], ["of ja", "of ja"]),
  "the longest values are one person's": () =>
    equal(
      longestOf({
        attributes: {
          first_name: { values: [{ value: "Jo" }, { value: "Maximiliane" }, { value: "Ada" }] },
          "address.city": { values: [{ value: "Bern" }] },
          whole: { values: [] },
        },
        fields: { user_id: [{ value: "u1" }, { value: "u10" }], model: [] },
      }),
      {
        user_id: "u10",
        time_zone: undefined,
        os_version: undefined,
        app_version: undefined,
        model: undefined,
        attributes: { first_name: "Maximiliane", address: { city: "Bern" } },
      },
    ),
  "a made-up person has values for the texts, and the same for the server": () =>
    equal(madeUp("x", "zh-Hans", { user_id: "u1", attributes: { plan: "gold" } }), {
      id: "x",
      name: "",
      locale: "zh-Hans",
      values: { user_id: "u1", locale: "zh-Hans", language: "zh", plan: "gold", attributes: { plan: "gold" } },
      as: { recipient: { user_id: "u1", locale: "zh-Hans", attributes: { plan: "gold" } } },
    }),
  "without people there is none": () => equal(personFor([], null, "en"), undefined),
};
