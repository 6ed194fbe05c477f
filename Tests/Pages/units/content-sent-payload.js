const { filledPayload, sentPayload } = await import("/js/content/sent-payload.js");
const { bytesOf } = await import("/js/content/payload.js");

const app = { message_id_key: "i", attachment_url_key: "attachment-url", attachment_type_key: "attachment-type" };
const added = (payload, file) => bytesOf(sentPayload(payload, app, file)) - bytesOf(payload);

return {
  "the message ID has 36 characters, with its key and a comma": () =>
    equal([added({ aps: { alert: "Hi" } }), added({ aps: { alert: "Hi {{ first_name }}" } })], [43, 43]),
  "nothing is before the message ID of an empty payload": () => equal(added({}), 42),
  "media adds its address and kind, and lets the app fetch it": () =>
    equal(sentPayload({ aps: { badge: 1 } }, app, { url: "https://a.example/b.png", kind: "image" }), {
      aps: { badge: 1, "mutable-content": 1 },
      "attachment-url": "https://a.example/b.png",
      "attachment-type": "image",
      i: "0".repeat(36),
    }),
  "a file elsewhere has no kind, and an app may want none": () => {
    const file = { url: "https://a.example/b" };
    equal(Object.keys(sentPayload({}, app, file)), ["aps", "attachment-url", "i"]);
    const own = { ...app, attachment_type_key: null };
    equal(Object.keys(sentPayload({}, own, { ...file, kind: "video" })), ["aps", "attachment-url", "i"]);
  },
  "values are filled in everywhere, and other members stay": () =>
    equal(
      filledPayload({ aps: { alert: { title: "Hi {{ name }}", "loc-args": ["{{ name }}"] }, badge: 3 } }, {
        name: "Mei",
      }, "en"),
      { aps: { alert: { title: "Hi Mei", "loc-args": ["Mei"] }, badge: 3 } },
    ),
};
