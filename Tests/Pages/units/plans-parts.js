const { changePart } = await import("/js/plans/parts.js");

const notification = () => ({
  identifier: "bell",
  content: { aps: { alert: { body: "Hi" }, sound: "default" } },
  variants: {
    de: { aps: { alert: { body: "Hallo" }, sound: "default" } },
    ja: { aps: { alert: { body: "やあ" }, sound: "bell.caf", category: "OWN" } },
  },
});
const all = ({ content, variants }) => [content, variants.de, variants.ja];

return {
  "actions that are chosen in the default hold for the languages that had none": () => {
    const changed = notification();
    changePart(changed, null, ["aps", "category"], "CONCERT");
    equal(all(changed).map(({ aps }) => aps.category), ["CONCERT", "CONCERT", "OWN"]);
    equal(changed.variants.de.aps.alert, { body: "Hallo" });
  },
  "sound that is switched off in a language is off in those that had the same": () => {
    const changed = notification();
    changePart(changed, "de", ["aps", "sound"], undefined);
    equal(all(changed).map(({ aps }) => aps.sound), [undefined, undefined, "bell.caf"]);
  },
  "media hold for all languages": () => {
    const changed = notification();
    changePart(changed, null, ["attachment_url"], "https://example.com/bell.jpg");
    equal(all(changed).map((each) => each.attachment_url), Array(3).fill("https://example.com/bell.jpg"));
  },
};
