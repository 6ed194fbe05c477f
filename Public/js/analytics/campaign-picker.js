// Several campaigns as chips, found by typing a part of their name.

import m from "../m.js";
import { t, day } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { Field } from "../ui/field.js";
import { toastError } from "../ui/toast.js";
import { campaignName, campaignsOf } from "./names.js";

/** Milliseconds after the last key, and the number of campaigns that are offered. */
const delay = 200, offered = 8;
let last = 0;

/** `value` are ids; `most` of them can be chosen. `onchange(ids)`; the placeholder says what no choice means. */
export function CampaignPicker() {
  const id = `campaigns-${++last}`;
  /** Of this page's app, from id to campaign. */
  const known = new Map();
  let attrs, dom, timer, text = "", found = null, index = 0, asking = "";

  /** The names of what the address names. */
  async function name(ids) {
    const missing = ids.filter((each) => !known.has(each));
    if (!missing.length || asking === missing.join()) return;
    asking = missing.join();
    try {
      (await campaignsOf(missing)).forEach((campaign, key) => known.set(key, campaign));
      m.redraw();
    } catch {
      // Without them, the chips show ids.
    }
  }
  function look(wait = delay) {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        const { data } = await api.get(inApp("/campaigns"), { search: text.trim(), limit: offered * 3, ...(!text.trim() && { sort: "updated" }) });
        data.forEach((each) => known.set(each.id, each));
        // A draft that was never sent has no numbers.
        found = data.filter((each) => each.last_run && !attrs.value.includes(each.id)).slice(0, offered);
        index = 0;
        m.redraw();
      } catch (error) {
        toastError(error);
      }
    }, wait);
  }
  function take(campaign) {
    text = "";
    found = null;
    attrs.onchange([...attrs.value, campaign.id]);
    dom.focus();
  }
  const drop = (ids) => attrs.onchange(attrs.value.filter((each) => !ids.includes(each)));

  function keys(event) {
    if (event.key === "Backspace" && !text && attrs.value.length) return drop(attrs.value.slice(-1));
    if (!found) return event.key === "ArrowDown" && look(0);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) index = (index + step + found.length) % found.length;
    else if (event.key === "Escape") found = null;
    else if (event.key === "Enter" && found[index]) take(found[index]);
    else return undefined;
    return event.preventDefault();
  }

  function input(aria) {
    const isOpen = found !== null;
    return m("div.suggest-box", m("div.many",
      attrs.value.map((each) => m("span.chip", { key: each }, m("span.cut", campaignName(each, known)), m("button.close", { type: "button", "aria-label": t("audience.removeValue", { value: campaignName(each, known) }), onclick: () => drop([each]) }, "×"))),
      [attrs.value.length < attrs.most && m("input", {
        key: "input", ...aria, value: text, role: "combobox", autocomplete: "off", spellcheck: false, maxlength: 200, "aria-autocomplete": "list", "aria-expanded": isOpen ? "true" : "false", "aria-controls": `${id}-list`,
        "aria-activedescendant": isOpen && found.length ? `${id}-${index}` : undefined, placeholder: attrs.value.length ? t("analytics.addCampaign") : attrs.placeholder,
        oncreate: (vnode) => { ({ dom } = vnode); },
        oninput: (event) => {
          text = event.target.value;
          look();
        },
        onclick: () => found ?? look(0), onkeydown: keys,
        onblur: (event) => {
          event.redraw = false;
          clearTimeout(timer);
          if (found) requestAnimationFrame(() => m.redraw());
          found = null;
        },
      })].filter(Boolean)),
    m("ul.suggestions", { id: `${id}-list`, role: "listbox", "aria-label": attrs.label, hidden: !isOpen }, isOpen && (found.length
      ? found.map((each, at) => m("li", {
        key: each.id, id: `${id}-${at}`, role: "option", "aria-selected": at === index ? "true" : "false",
        onmousedown: (event) => {
          event.preventDefault();
          take(each);
        },
      }, m("span.cut", { dir: "auto" }, each.name), m("span.meta.push", day(each.last_run.started_at))))
      : m("li.soft", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, text ? t("list.nothing", { text }) : t("analytics.noCampaigns")))));
  }

  return {
    onremove: () => clearTimeout(timer),
    view: (vnode) => {
      ({ attrs } = vnode);
      if (session.app) name(attrs.value);
      return m(Field, { label: attrs.label, hidden: attrs.hidden, help: attrs.help, control: input });
    },
  };
}
