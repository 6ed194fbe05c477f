const payloads = await import("/js/content/payload.js");
const { bytesOf, errorLine, isVisible, ownKeys, parseBadge, parseValue, parts, setAlert, setAps, text, writeValue } =
  payloads;

return {
  "a plain alert is the body, and stays it when a title comes": () => {
    const payload = { aps: { alert: "Hello" } };
    equal([text(payload, "body"), text(payload, "title")], ["Hello", ""]);
    equal(setAlert(payload, "title", "Hi"), { aps: { alert: { body: "Hello", title: "Hi" } } });
  },
  "nothing is left behind when a text becomes empty": () =>
    equal(setAlert({ aps: { alert: { title: "Hi" } }, a: 1 }, "title", ""), { aps: {}, a: 1 }),
  "0 is a badge, and an empty one is none": () =>
    equal([setAps({}, "badge", parseBadge("0")), setAps({ aps: { badge: 3 } }, "badge", parseBadge(""))], [{
      aps: { badge: 0 },
    }, { aps: {} }]),
  "a badge may be Liquid": () => equal(parseBadge("{{ unread }}"), "{{ unread }}"),
  "members that the form does not know stay": () =>
    equal(setAps({ aps: { future: 1 }, own: [1] }, "sound", "default"), {
      aps: { future: 1, sound: "default" },
      own: [1],
    }),
  "typed values are JSON where they look like it": () =>
    equal(["3", "true", '{"a":1}', "3 bells", "tru", ""].map(parseValue), [3, true, { a: 1 }, "3 bells", "tru", ""]),
  "every value is written so that it is read as the same": () => {
    for (const value of [3, "3", true, "true", null, "null", { a: [1] }, "bells", "{broken", '"quoted"']) {
      equal(parseValue(writeValue(value)), value);
    }
  },
  "bytes are counted as UTF-8": () => equal([bytesOf("月"), bytesOf("a"), bytesOf(undefined)], [5, 3, 0]),
  "the parts add up to the whole": () => {
    const payload = { aps: { alert: { title: "Hi", body: "月" }, badge: 1 }, own: { a: 1 } };
    equal(parts(payload).reduce((sum, { value }) => sum + value, 0), bytesOf(payload));
  },
  "the app's own keys are all beside aps": () => equal(ownKeys({ aps: {}, a: 1, b: 2 }), [["a", 1], ["b", 2]]),
  "a phone shows texts and keys of texts, not a badge alone": () =>
    equal(
      [
        { aps: { alert: "a" } },
        { aps: { alert: { "loc-key": "A" } } },
        { aps: { badge: 1 } },
        { aps: { alert: "" } },
        {},
      ].map(isVisible),
      [true, true, false, false, false],
    ),
  "the line of broken JSON is found": () => {
    const source = '{\n  "a": 1,\n  b\n}';
    let message;
    try {
      JSON.parse(source);
    } catch (error) {
      ({ message } = error);
    }
    equal(errorLine(message, source), 3);
  },
};
