const { differingPaths, followers, withChange, withParts } = await import("/js/content/shared-parts.js");
const { newPayload } = await import("/js/content/new-content.js");

const english = { aps: { alert: { title: "Hi" }, sound: "default" }, link: "bell://1" };
const german = { aps: { alert: { title: "Hallo" }, sound: "default" }, link: "bell://1" };
const content = { payload: english, variants: { de: german } };
const withAps = (payload, more) => ({ ...payload, aps: { ...payload.aps, ...more } });

return {
  "new content sounds": () => equal(newPayload(), { aps: { sound: "default" } }),
  "actions that are chosen in the default hold for a language that had none, too": () => {
    const next = withChange(content, null, english, withAps(english, { category: "CONCERT" }));
    equal([next.payload.aps.category, next.variants.de.aps.category], ["CONCERT", "CONCERT"]);
    equal(next.variants.de.aps.alert, { title: "Hallo" });
  },
  "actions that are chosen in a language hold for the default and the other languages": () => {
    const all = { ...content, variants: { ...content.variants, ja: english } };
    const next = withChange(all, "de", german, withAps(german, { category: "CONCERT" }));
    equal([next.payload, next.variants.ja].map(({ aps }) => aps.category), ["CONCERT", "CONCERT"]);
    equal(followers(all, "de", german, withAps(german, { category: "CONCERT" })), [null, "ja"]);
  },
  "badge, sound, thread, level, score and the app's own keys are shared": () => {
    const after = {
      aps: {
        alert: { title: "Hi" },
        badge: 1,
        "thread-id": "a",
        "interruption-level": "passive",
        "relevance-score": 0,
      },
      link: "bell://2",
      own: [1],
    };
    const { de } = withChange(content, null, english, after).variants;
    equal(de, {
      aps: {
        alert: { title: "Hallo" },
        badge: 1,
        "thread-id": "a",
        "interruption-level": "passive",
        "relevance-score": 0,
      },
      link: "bell://2",
      own: [1],
    });
  },
  "what is removed in the default is removed where it was the same": () =>
    equal(withChange(content, null, english, { aps: english.aps }).variants.de, { aps: german.aps }),
  "a language that differs on purpose keeps its own": () => {
    const own = { payload: english, variants: { de: withAps(german, { sound: "glocke.caf" }) } };
    equal(withChange(own, null, english, withAps(english, { sound: "bell.caf" })).variants.de.aps.sound, "glocke.caf");
  },
  "texts never follow": () => {
    const same = { payload: english, variants: { fr: english } };
    const after = withAps(english, { alert: { title: "Hello", body: "Text", "loc-key": "A" } });
    equal(withChange(same, null, english, after).variants.fr, english);
    equal(followers(same, null, english, after), []);
  },
  "an alert that is a plain text keeps it when it gets a launch image": () => {
    const plain = { payload: { aps: { alert: "Hi" } }, variants: { de: { aps: { alert: "Hallo" } } } };
    const after = { aps: { alert: { body: "Hi", "launch-image": "Moon" } } };
    equal(withChange(plain, null, plain.payload, after).variants.de, {
      aps: { alert: { body: "Hallo", "launch-image": "Moon" } },
    });
  },
  "a part is the same whatever the order of its members": () =>
    equal(differingPaths({ aps: {}, a: { x: 1, y: 2 } }, { aps: {}, a: { y: 2, x: 1 } }), []),
  "a language takes parts of the default": () => {
    const paths = differingPaths(english, { aps: { alert: "Hallo", badge: 3 } });
    equal(withParts({ aps: { alert: "Hallo", badge: 3 } }, english, paths), {
      aps: { alert: "Hallo", sound: "default" },
      link: "bell://1",
    });
  },
};
