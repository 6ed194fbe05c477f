const { personFor } = await import("/js/content/people.js");
const people = ["ja", "en-GB", "zh-Hans-CN", "en"].map((locale) => ({ installation: `of ${locale}`, locale }));
const found = (chosen, locale) => personFor(people, chosen, locale)?.installation;

return {
  "the phone is that of a person who speaks the shown language": () =>
    equal([found(null, "en"), found(null, "en-US"), found(null, "zh-Hant")], ["of en", "of en-GB", "of zh-Hans-CN"]),
  "the reader's choice holds for all languages": () =>
    equal([found("of ja", "en"), found("of ja", "zh")], ["of ja", "of ja"]),
  "without a person of the language it is the first": () =>
    equal([found(null, "fr"), found("gone", "fr")], ["of ja", "of ja"]),
  "without people there is none": () => equal(personFor([], null, "en"), undefined),
};
