const { default: m } = await import("/js/m.js");
const { Combobox } = await import("/js/ui/combobox.js");

const drawn = () =>
  new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  });

/** A field whose answers come when a fact gives them. */
async function field() {
  const root = document.body.appendChild(document.createElement("div")), asked = new Map(), taken = [];
  m.mount(root, {
    view: () =>
      m(Combobox, {
        label: "Campaign",
        option: ({ id }) => id,
        take: ({ id }) => taken.push(id),
        search: (text) =>
          new Promise((resolve) => {
            asked.set(text, resolve);
          }),
      }),
  });
  await drawn();
  const input = root.querySelector("input"), list = root.querySelector("ul");
  return {
    taken,
    shown: () => (list.hidden ? null : list.innerText),
    async type(text) {
      input.value = text;
      input.dispatchEvent(new Event("input"));
      while (!asked.has(text)) await drawn();
    },
    answer(text) {
      asked.get(text)([{ id: text }]);
      return drawn();
    },
    dispatch(event) {
      input.dispatchEvent(event);
      return drawn();
    },
    remove() {
      m.mount(root, null);
      root.remove();
    },
  };
}
const key = (name) => new KeyboardEvent("keydown", { key: name });

return {
  "a late answer does not replace a newer one": async () => {
    const { type, answer, shown, dispatch, taken, remove } = await field();
    await type("moo");
    await type("moon");
    await answer("moon");
    await answer("moo");
    equal(shown(), "moon");
    await dispatch(key("Enter"));
    equal([taken, shown()], [["moon"], null]);
    remove();
  },
  "a late answer opens no list that was left": async () => {
    const { type, answer, shown, dispatch, remove } = await field();
    await type("one");
    await dispatch(key("Escape"));
    await answer("one");
    equal(shown(), null);
    await type("two");
    await dispatch(new FocusEvent("blur"));
    await answer("two");
    equal(shown(), null);
    remove();
  },
};
