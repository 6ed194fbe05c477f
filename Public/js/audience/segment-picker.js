// Chooses a saved segment, with the number of its devices beside each.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { Picker } from "../ui/picker.js";
import { Popover } from "../ui/popover.js";
import { segmentCounts } from "./segment-counts.js";

/** Segments that are counted at once; a search counts others. */
const most = 20;

/** `segments` of `known`, `chosen` (an id), `button` and `text` as of `Popover`, `onpick(id)`. */
export function SegmentPicker() {
  let counts = null, dom = null;
  function close(isDone) {
    counts?.end();
    counts = null;
    if (isDone) dom.querySelector("button").focus();
  }
  const found = (segments, chosen, text) => {
    const part = text.toLowerCase();
    const shown = segments.filter(({ name }) => name.toLowerCase().includes(part))
      .sort((one, other) => (other.id === chosen) - (one.id === chosen));
    counts.want(shown.slice(0, most).map(({ id }) => id));
    return shown;
  };
  return {
    oncreate: (vnode) => {
      ({ dom } = vnode);
    },
    onremove: () => close(false),
    view: ({ attrs: { segments, chosen, button, text, onpick } }) =>
      m(
        Popover,
        {
          button,
          text,
          label: t("audience.chooseSegment"),
          isOpen: counts !== null,
          onopen: () => {
            counts = segmentCounts();
          },
          onclose: close,
        },
        counts && m(Picker, {
          label: t("audience.searchSegments"),
          find: (typed) => found(segments, chosen, typed),
          option: ({ id, name }) => [m("span.cut", name), m("span.meta.push", countText(counts.of(id)))],
          take: ({ id }) => {
            close(true);
            onpick(id);
          },
          none: (typed) => t(segments.length ? "list.nothing" : "audience.noSegments", { text: typed }),
        }),
      ),
  };
}

function countText(count) {
  if (count === undefined) return "…";
  if (count === null) return "–";
  const { matches, is_exact: isExact } = count;
  const words = [!isExact && t("audience.about"), number(matches), t("audience.devices", { count: matches })];
  return sentences(words);
}
