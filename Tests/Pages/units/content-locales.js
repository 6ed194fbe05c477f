const { best, canonical, localeOf } = await import("/js/locales/choice.js");
const choose = (locale, tags, standard) => best(tags.split(" "), locale, standard);

return {
  "a tag has the server's form": () =>
    equal(
      ["zh_TW", "zh-CN", "zh", "sr-ME", "iw_IL", "no-NO", "tl", "en-Latn-US", "en_US.UTF-8", "en-UK", "English!"].map(
        canonical,
      ),
      ["zh-Hant-TW", "zh-Hans-CN", "zh", "sr-Latn-ME", "he-IL", "nb-NO", "fil", "en-US", "en-US", "en-GB", null],
    ),
  "a phone has one script": () => equal(["zh", "sr", "de"].map(localeOf), ["zh-Hans", "sr-Cyrl", "de"]),
  "the nearest variant in the same script is chosen": () =>
    equal([
      choose("nb_NO", "zh-Hant no he"),
      choose("iw_IL", "no he"),
      choose("nn-NO", "no he"),
      choose("zh-Hans-US", "zh-CN zh-TW"),
      choose("zh-Hant-US", "zh-CN"),
      choose("zh-Hant-HK", "zh-CN zh"),
      choose("zh-MO", "zh-Hant zh-HK"),
      choose("en-AU", "en-US en-GB"),
      choose("es-AR", "es-ES es-MX"),
      choose("pt-AO", "pt-BR pt-PT"),
      choose("sr-Latn-RS", "sr-Cyrl"),
    ], ["no", "he", "no", "zh-CN", null, "zh", "zh-HK", "en-GB", "es-MX", "pt-PT", null]),
  "the default is preferred in the reader's language": () =>
    equal(
      [choose("en-US", "en-GB", "en"), choose("en-GB", "en-GB", "en"), choose("de-AT", "de-CH", "de-DE")],
      [null, "en-GB", null],
    ),
};
