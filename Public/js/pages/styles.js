// Every component in its states, for contributors. Texts are samples, so they are not translated.

import m from "../m.js";
import { Badges, kinds, Ledgers, Messages, Tables, Waiting, Words } from "../styles/display.js";
import { Buttons, Fields } from "../styles/controls.js";

const grounds = ["ground", "sheet", "sunk"],
  texts = ["ink", "soft", "bronze", "danger", "good", "warn"],
  lines = ["line", "edge"];
const series = ["series-1", "series-2", "series-3", "series-4"];
const spaces = [4, 8, 12, 16, 24, 32, 48];
const types = [
  ["--figure", "44/48 figure", "182,400"],
  ["--headline", "30/36 headline", "Moon Lovers"],
  ["--title", "20/26 title", "Why not everyone"],
  ["--lead", "17/24 lead", "Four steps, about five minutes, and a phone rings."],
  ["--text", "15/22 text", "Apple took it. It was not shown yet: the phone may be off."],
  ["--meta", "13/20 meta", "Changed 09:04 Berlin"],
];

/** A colour as it is used: a ground as an area, a text colour as text, the others as fills. */
const Swatches = {
  view: ({ attrs: { names, kind } }) =>
    m(
      "div.swatches",
      names.map((name) =>
        m(
          "span.swatch",
          { key: name },
          m("i", {
            class: kind,
            style: kind === "text" ? { color: `var(--${name})` } : { background: `var(--${name})` },
          }, kind === "text" ? "Aa" : ""),
          name,
        )
      ),
    ),
};

const Colours = {
  view: () =>
    m(
      "div.state-grid",
      m("div", m("h3", "Grounds"), m(Swatches, { names: grounds })),
      m("div", m("h3", "Text, at least 4.5 on each ground"), m(Swatches, { names: texts, kind: "text" })),
      m("div", m("h3", "Lines"), m(Swatches, { names: lines })),
      m("div", m("h3", "Outcomes, fills on the sheet"), m(Swatches, { names: kinds })),
      m("div", m("h3", "Charts"), m(Swatches, { names: series })),
      m("div", m("h3", "Destinations"), m(Swatches, { names: ["simulator", "apple"] })),
    ),
};

const Type = {
  view: () => [
    m(
      "dl.type-list",
      types.map(([token, name, text]) =>
        m("div", { key: token }, m("dt.meta", name), m("dd", { style: { font: `var(${token})` } }, text))
      ),
    ),
    m(
      "p",
      "Text with a ",
      m("a", { href: "/styles" }, "link"),
      ", ",
      m("b", "weight 550"),
      ", ",
      m("code", "code"),
      " and a key ",
      m("kbd", "/"),
      ".",
    ),
    m("h3", "Space and corners"),
    m(
      "div.row",
      spaces.map((space) =>
        m("span.swatch", { key: space }, m("b.space", { style: { width: `${space}px` } }), `${space}`)
      ),
      ["radius-s", "radius", "radius-l"].map((name) =>
        m("span.swatch", { key: name }, m("i", { style: { borderRadius: `var(--${name})` } }), name)
      ),
    ),
  ],
};

const parts = [
  ["colours", "Colours", Colours],
  ["type", "Type and space", Type],
  ["buttons", "Buttons", Buttons],
  ["fields", "Fields", Fields],
  ["badges", "Badges, chips, tabs, steps", Badges],
  ["tables", "Tables", Tables],
  ["ledger", "Ledger, meter, progress", Ledgers],
  ["messages", "Messages and dialogs", Messages],
  ["waiting", "Empty and loading", Waiting],
  ["words", "Terms, numbers, icons", Words],
];

export default {
  view: () => [
    m("div.page-head", m("h1", "Styles")),
    m(
      "p.lead.soft.intro",
      "What the pages are made of, in each state. The values are in css/tokens.css, the rules in " +
        "css/components.css, the modules in js/ui.",
    ),
    m(
      "nav.chips.styles-nav",
      { "aria-label": "Parts of this page" },
      parts.map(([id, title]) =>
        m("a.chip", {
          key: id,
          href: `#${id}`,
          onclick: (event) => {
            event.preventDefault();
            document.getElementById(id).scrollIntoView();
          },
        }, title)
      ),
    ),
    m(
      "div.stack",
      { style: { "--gap": "24px" } },
      parts.map(([id, title, Part]) =>
        m("section.sheet.stack", { key: id, id, "aria-label": title }, m("h2", title), m(Part))
      ),
    ),
  ],
};
