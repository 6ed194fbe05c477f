import m from "../m.js";

/**
 * An input that a redraw leaves alone while the focus is in it: half a date, half a number, or an empty field are no
 * values yet, and would be replaced by the last one. Attributes as of an input; `onchange` and `oninput` as always.
 */
export function UncommittedInput() {
  let dom = null;
  return {
    oncreate: (vnode) => {
      ({ dom } = vnode);
    },
    view: ({ attrs: { value, key: _, ...rest } }) =>
      m("input", {
        ...rest,
        value: dom !== null && dom === document.activeElement ? dom.value : value,
        onblur: (event) => {
          // The field may be removed in the middle of a drawing, which must not begin another one.
          event.redraw = false;
          requestAnimationFrame(() => m.redraw());
        },
      }),
  };
}
