// Finds elements as a reader would: arguments are a role, a name, and the name of a group around it. Returns those
// that are visible and in front.
const [role, name, group] = arguments;
const selectors = {
  button: "button, summary, [role=button], a.button, input[type=submit]",
  link: "a[href]",
  menuitem: "[role=menuitem]",
  tab: "[role=tab], nav.steps a, .steps button",
  field: "input:not([type=checkbox], [type=radio], [type=submit]), textarea, select, [contenteditable=true], " +
    "[role=combobox]",
  check: "input[type=checkbox], input[type=radio], [role=switch], [role=checkbox], [role=radio]",
  heading: "h1, h2, h3, [role=heading]",
};
const anything = "button, link, menuitem, tab, check".split(", ").map((each) => selectors[each]).join(", ");
const clean = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const textOf = (element) => element.tagName === "SELECT" ? "" : clean(element.innerText || element.textContent);

function nameOf(element) {
  const labelled = element.getAttribute("aria-labelledby");
  if (labelled) {
    return clean(labelled.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
  }
  if (element.ariaLabel) return clean(element.ariaLabel);
  // Two labels of one input: a name above and words beside it.
  if (element.labels?.length) return clean([...element.labels].map((label) => label.textContent).join(" "));
  return textOf(element) ||
    clean(element.value && element.type === "submit" ? element.value : element.title || element.placeholder);
}

const isVisible = (element) =>
  element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
const dialogs = [...document.querySelectorAll("dialog[open]")];
const front = dialogs.at(-1) ?? document;
const groups = "fieldset, section, aside, figure, nav, tr, [role=group]";
const nameOfGroup = (element) =>
  clean(element.ariaLabel || element.querySelector(":scope > :is(legend, h2, h3, figcaption, th, td)")?.textContent);
const place = group ? [...front.querySelectorAll(groups)].find((each) => nameOfGroup(each) === group) : front;
if (!place) return [[], [`no group "${group}"`]];
const found = [...place.querySelectorAll(selectors[role] ?? anything)].filter(isVisible).map((
  element,
) => [element, nameOf(element)]);
const same = found.filter(([, each]) => each === name);
// "Subtitle (optional)" is found by "Subtitle", and a link by its beginning.
const chosen = same.length ? same : found.filter(([, each]) => each.startsWith(`${name} `));
return [chosen.map(([element]) => element), [...new Set(found.map(([, each]) => each))].slice(0, 60)];
