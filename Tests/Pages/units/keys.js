const { keyName } = await import("/js/keys.js");
const press = (key, more) => keyName(new KeyboardEvent("keydown", { key, ...more }));

return {
  "keys are named with what is held": () =>
    equal(
      [press("/"), press("S", { ctrlKey: true }), press("Enter", { metaKey: true }), press("n", { altKey: true })],
      [
        "/",
        "mod+s",
        "mod+Enter",
        "alt+n",
      ],
    ),
  "what types a sign is no shortcut: ñ on a Mac, € with AltGr": () =>
    equal([
      press("Dead", { altKey: true, code: "KeyN" }),
      press("€", { altKey: true, ctrlKey: true, code: "KeyE" }),
    ], ["alt+Dead", "alt+€"]),
};
