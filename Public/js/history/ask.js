// "Ask about a campaign": one is found by a part of its name, also if it never reached the device.

import m from "../m.js";
import { t, day, has } from "../i18n.js";
import { api } from "../api.js";
import { inApp } from "../session.js";
import { Field } from "../ui/field.js";
import { toastError } from "../ui/toast.js";

/** Milliseconds after the last key, and the number of campaigns that are offered. */
const delay = 200, offered = 8;
let last = 0;

function about({ last_run: run, state }) {
  if (run) return day(run.started_at);
  return state !== "draft" && has(`state.of.${state}`) ? t(`state.of.${state}`) : t("history.unsent");
}

/** A field after the combobox pattern of the ARIA guide. `onpick(campaign)`. */
export function AskCampaign() {
  const id = `ask-${++last}`;
  let text = "", found = null, index = 0, timer, onpick;

  async function look() {
    const typed = text.trim();
    try {
      const { data } = await api.get(inApp("/campaigns"), { search: typed, limit: offered, sort: typed ? undefined : "updated" });
      // A newer search is on its way.
      if (typed !== text.trim()) return;
      [found, index] = [data, 0];
      m.redraw();
    } catch (error) {
      toastError(error);
    }
  }
  function close() {
    clearTimeout(timer);
    found = null;
  }
  function pick(campaign) {
    text = "";
    close();
    onpick(campaign);
  }
  function press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !found) look();
    else if (step) index = (index + step + found.length) % Math.max(1, found.length);
    else if (found && event.key === "Escape") close();
    else if (found?.[index] && event.key === "Enter") pick(found[index]);
    else return;
    event.preventDefault();
  }

  const Option = (campaign, at) => m("li", {
    key: campaign.id, id: `${id}-${at}`, role: "option", "aria-selected": at === index ? "true" : "false",
    onmousedown: (event) => {
      event.preventDefault();
      pick(campaign);
    },
  }, m("span.cut", { dir: "auto" }, campaign.name), m("span.meta.push", about(campaign)));
  const Nothing = () => m("li.soft", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, text.trim() ? t("list.nothing", { text }) : t("history.noCampaigns"));

  const control = (aria) => m("div.suggest-box",
    m("input", {
      ...aria, value: text, role: "combobox", autocomplete: "off", spellcheck: false, maxlength: 200, placeholder: t("history.search"),
      "aria-autocomplete": "list", "aria-expanded": found ? "true" : "false", "aria-controls": `${id}-list`, "aria-activedescendant": found?.length ? `${id}-${index}` : undefined,
      oninput: (event) => {
        text = event.target.value;
        clearTimeout(timer);
        timer = setTimeout(look, delay);
      },
      onclick: () => found ?? look(), onkeydown: press,
      onblur: (event) => {
        // It may be removed in the middle of a drawing, which must not begin another one.
        event.redraw = false;
        close();
        requestAnimationFrame(() => m.redraw());
      },
    }),
    m("ul.suggestions", { id: `${id}-list`, role: "listbox", "aria-label": t("history.ask"), hidden: !found }, found && (found.length ? found.map(Option) : Nothing())));

  return {
    onremove: () => clearTimeout(timer),
    view: ({ attrs }) => {
      ({ onpick } = attrs);
      return m("div.ask", m(Field, { label: t("history.ask"), help: t("history.askHelp"), control }));
    },
  };
}
