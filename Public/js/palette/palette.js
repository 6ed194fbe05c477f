// The command palette: everything by typing a part of its name (WAI-ARIA: combobox with a list box).

import m from "../m.js";
import { t } from "../i18n.js";
import { onKey } from "../keys.js";
import { loadModule } from "../modules.js";
import { navigate } from "../router.js";
import { session } from "../session.js";
import { Icon } from "../ui/icon.js";
import { toastError } from "../ui/toast.js";

/** Milliseconds after the last key. */
const typingPauseMs = 180;
/** Characters from which on the server is asked. */
const shortest = 2;

let isOpen = false;

export function openPalette() {
  if (!session.current || !session.app || document.querySelector("dialog[open]")) return;
  isOpen = true;
  m.redraw();
}
onKey("mod+k", openPalette);

function Panel() {
  let dialog, opener, timer;
  let abort = new AbortController();
  let text = "";
  let active = 0;
  /** Groups of the server, in the order in which they are shown; null while they are awaited. */
  let found = [];
  let isSearching = false;
  let failed = false;
  /** The module of the entries, which is needed only here: most visits to a page never open the palette. */
  let sources = null;
  const loading = loadModule("palette/sources.js").then((module) => {
    sources = module;
    m.redraw();
  }, (error) => {
    close();
    toastError(error);
  });

  const groups = () => {
    const own = sources?.commands(text) ?? [];
    const [first, ...others] = found;
    // An entry that was typed completely comes first.
    return [...(first?.isExact ? [first, ...own, ...others] : [...own, ...found])].filter(({ items }) =>
      items.length > 0
    );
  };
  const close = () => {
    isOpen = false;
    m.redraw();
  };
  function open(item, event) {
    if (event?.metaKey || event?.ctrlKey) return;
    event?.preventDefault();
    opener = null;
    close();
    const go = (address) => {
      navigate(address);
      window.scrollTo(0, 0);
    };
    if (item.href) go(item.href);
    else item.begin().then(go, toastError);
  }
  function type(value) {
    text = value;
    active = 0;
    clearTimeout(timer);
    abort.abort();
    const asked = value.trim();
    failed = false;
    isSearching = asked.length >= shortest;
    if (!isSearching) {
      found = [];
      return;
    }
    timer = setTimeout(async () => {
      const own = (abort = new AbortController());
      const show = (result) => {
        if (own.signal.aborted) return;
        ({ groups: found, failed } = result);
        m.redraw();
      };
      await loading;
      if (sources) show(await sources.search(asked, own.signal, show));
      if (!own.signal.aborted) isSearching = false;
      m.redraw();
    }, typingPauseMs);
  }
  function move(event) {
    const all = groups().flatMap(({ items }) => items);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 5, PageUp: active - 5 }[event.key];
    if (to !== undefined && all.length) {
      event.preventDefault();
      active = event.key.startsWith("Arrow")
        ? (to + all.length) % all.length
        : Math.max(0, Math.min(all.length - 1, to));
      requestAnimationFrame(() => dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
    } else if (event.key === "Enter" && all[active] && !event.isComposing) open(all[active], event);
  }

  return {
    oncreate: ({ dom }) => {
      dialog = dom;
      opener = document.activeElement;
      dialog.showModal();
      dialog.querySelector("input").focus();
    },
    onremove: () => {
      clearTimeout(timer);
      abort.abort();
      // While it is modal, nothing behind it takes the focus.
      dialog.close();
      if (opener?.isConnected) opener.focus();
      else document.activeElement?.blur();
    },
    view: () => {
      const shown = groups();
      const all = shown.flatMap(({ items }) => items);
      active = Math.min(active, Math.max(0, all.length - 1));
      const status = failed
        ? t("palette.failed")
        : isSearching || !sources
        ? t("palette.searching")
        : all.length
        ? t("palette.count", { count: all.length })
        : t("palette.nothing", { text });
      return m(
        "dialog.palette",
        {
          "aria-label": t("palette.title"),
          oncancel: (event) => {
            event.preventDefault();
            close();
          },
          onclick: (event) => {
            if (event.target === dialog) close();
          },
        },
        m(
          "div.palette-field",
          m(Icon, { name: "search" }),
          m("input", {
            type: "text",
            role: "combobox",
            "aria-label": t("palette.title"),
            "aria-expanded": "true",
            "aria-controls": "palette-list",
            "aria-autocomplete": "list",
            "aria-activedescendant": all.length ? `palette-${active}` : undefined,
            placeholder: t("palette.placeholder"),
            value: text,
            maxlength: 200,
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: false,
            oninput: (event) => type(event.target.value),
            onkeydown: move,
          }),
          m("button.close", { type: "button", "aria-label": t("action.close"), onclick: close }, "×"),
        ),
        m(
          "div.palette-list",
          { id: "palette-list", role: "listbox", "aria-label": t("palette.title") },
          shown.map((group, place) =>
            m(
              "div",
              { role: "group", "aria-labelledby": `palette-group-${place}` },
              m("p.palette-head", { id: `palette-group-${place}` }, t(`palette.group.${group.name}`)),
              group.items.map((item) => {
                const index = all.indexOf(item);
                return m(
                  item.href ? "a.palette-item" : "button.palette-item[type=button]",
                  {
                    id: `palette-${index}`,
                    role: "option",
                    href: item.href,
                    tabindex: -1,
                    "aria-selected": index === active ? "true" : "false",
                    onclick: (event) => open(item, event),
                    onmousemove: () => {
                      active = index;
                    },
                  },
                  m(Icon, { name: item.icon }),
                  m("span.cut", item.label),
                  item.note && m("span.meta.cut.push", item.note),
                );
              }),
            )
          ),
        ),
        m(
          "p.palette-foot.meta",
          m("span", { role: "status" }, status),
          m(
            "span.push.palette-keys",
            m("kbd", "↑"),
            " ",
            m("kbd", "↓"),
            " ",
            t("palette.move"),
            "  ",
            m("kbd", "Enter"),
            " ",
            t("palette.open"),
            "  ",
            m("kbd", "Esc"),
            " ",
            t("palette.close"),
          ),
        ),
      );
    },
  };
}

/** Drawn once, in the shell. */
export const Palette = { view: () => (isOpen ? m(Panel) : null) };
