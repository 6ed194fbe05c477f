// A place where a file is dropped or chosen, and the attributes of anything onto which something can be dropped.

import m from "../m.js";
import { Icon } from "./icon.js";
import { Spinner } from "./spinner.js";

let last = 0;

/**
 * State and attributes of an element onto which `ondrop(event)` takes what is dropped while `accepts(event)` is true:
 * `m("li", {class: target.isOver ? "over" : "", ...target.attrs})`.
 */
export function dropTarget({ ondrop, accepts = () => true }) {
  const target = { isOver: false };
  const show = (event, isOver) => {
    // While something is dragged, these events come without end.
    event.redraw = target.isOver !== isOver;
    target.isOver = isOver;
  };
  target.attrs = {
    ondragover: (event) => {
      if (accepts(event)) event.preventDefault();
      show(event, accepts(event));
    },
    // Moving over something inside of the element is not leaving it.
    ondragleave: (event) => show(event, event.currentTarget.contains(event.relatedTarget)),
    ondrop: (event) => {
      event.preventDefault();
      target.isOver = false;
      if (accepts(event)) return ondrop(event);
    },
  };
  return target;
}

export const hasFiles = (event) => event.dataTransfer.types.includes("Files");

// A file that misses its place must not take the page's.
for (const name of ["dragover", "drop"]) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}

/**
 * `label` says what to drop, `help` how to choose it; `accept` as in HTML; `onfile(file)` gets the first file. `name`
 * is of the file that was taken before, `error` is shown below, `isBusy` while it is read or sent. `slim` is one line
 * high. Children are drawn last.
 */
export function FileDrop() {
  const id = `file-${++last}`;
  let attrs;
  const take = (file) => file && !attrs.isBusy && attrs.onfile(file);
  const target = dropTarget({ accepts: hasFiles, ondrop: (event) => take(event.dataTransfer.files[0]) });
  return {
    view: (vnode) => {
      ({ attrs } = vnode);
      const { label, help, icon = "upload", accept, name, error, isBusy, slim } = attrs;
      return m(
        "div.field",
        { class: error ? "invalid" : "" },
        m(
          "label.drop",
          {
            class: `${target.isOver ? "over" : ""} ${name ? "full" : ""} ${slim ? "slim" : ""} ${isBusy ? "busy" : ""}`,
            ...target.attrs,
          },
          isBusy ? m(Spinner) : m(Icon, { name: name ? "check-circle" : icon }),
          m("b", name ?? label),
          help && m("span.soft.meta", help),
          m("input.visually-hidden", {
            type: "file",
            accept,
            disabled: isBusy,
            "aria-invalid": error ? "true" : undefined,
            "aria-describedby": error ? id : undefined,
            onchange: (event) => {
              const [file] = event.target.files;
              // The same file can be chosen again, after it was mended.
              event.target.value = "";
              return take(file);
            },
          }),
          vnode.children,
        ),
        error && m("p.field-help.danger", { id, role: "alert" }, error),
      );
    },
  };
}
