const { default: m } = await import("/js/m.js");
const root = document.body.appendChild(document.createElement("div"));
const press = (attrs) => {
  m.render(root, m("input", attrs));
  return root.firstChild.dispatchEvent(new KeyboardEvent("keydown", { key: "a", cancelable: true }));
};
return {
  "a handler that returns false lets the browser go on": () => equal(press({ onkeydown: () => false }), true),
  "a handler can still prevent what the event is for": () =>
    equal(press({ onkeydown: (event) => event.preventDefault() }), false),
  "a handler that is drawn again is called once": () => {
    let calls = 0;
    const attrs = {
      onkeydown: () => {
        calls += 1;
      },
    };
    press(attrs);
    press(attrs);
    root.remove();
    equal(calls, 2);
  },
};
