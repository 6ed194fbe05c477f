const { field, fields, isPlaced, labelAt, setMembers } = await import("/js/payload/fields.js");
const { setIn } = await import("/js/content/section-values.js");
const { has } = await import("/js/i18n.js");

return {
  "every field has its words": () =>
    equal(
      fields.flatMap(({ label, help, short }) => [label, help, short]).filter((key) => key && !has(key)),
      [],
    ),
  "a problem inside a field is shown there; what no field has is shown above the form": () =>
    equal(
      ["aps.alert", "aps.sound.name", "aps.alert.loc-args[1]", "aps.badge", "aps.future", "aps", "media.url"].map((
        path,
      ) => isPlaced(path)),
      [true, true, true, true, false, false, false],
    ),
  "media and delivery are of the content, not of its payload": () =>
    equal(["media.url", "priority", "aps.badge"].map((path) => isPlaced(path, true)), [true, true, false]),
  "a part is named by the field at its path or around it": () =>
    equal(
      ["aps.sound.volume", "aps.alert.loc-args[0]", "media.url", "link", "aps.alert.title-loc-key"].map(labelAt),
      ["content.aps.sound", "content.keys.loc-args", "content.mediaUrl", undefined, "content.keys.title-loc-key"],
    ),
  "the head of a closed part names what is set": () =>
    equal(
      setIn({ aps: { badge: 0, "interruption-level": "critical", "thread-id": "" } }, "look").filter(Boolean),
      ["Badge 0", "Critical"],
    ),
  "members that are not set leave the rest to the server": () =>
    equal(setMembers({ payload: {}, priority: null, expiration_seconds: 0, name: "x" }), {
      payload: {},
      expiration_seconds: 0,
    }),
  "a field is found by its name": () => equal(field("push_type").ofContent, true),
};
