// Categories as the editor has them. Pure.

import { clone } from "../setup/merge.js";

export const fields = [
  "identifier",
  "actions",
  "hidden_previews_body_placeholder",
  "category_summary_format",
  "options",
  "intent_identifiers",
  "content_extension",
];
export const defaults = { identifier: "", actions: [], options: [], intent_identifiers: [] };
export const categoryOptions = [
  "custom_dismiss_action",
  "allow_in_car_play",
  "hidden_previews_show_title",
  "hidden_previews_show_subtitle",
];
export const actionOptions = ["foreground", "destructive", "authentication_required"];
export const mostActions = 10;

/** SF Symbols that suit actions, each with the icon that is drawn for it here. */
export const symbols = {
  "arrowshape.turn.up.left": "reply",
  trash: "trash",
  heart: "heart",
  "hand.thumbsup": "hand-thumbs-up",
  cart: "cart",
  checkmark: "check-lg",
  clock: "clock",
  star: "star",
  xmark: "x-lg",
  bell: "bell",
  eye: "eye",
  "square.and.arrow.up": "box-arrow-up",
  "mappin.and.ellipse": "geo-alt",
  phone: "telephone",
  calendar: "calendar-week",
  gift: "gift",
  play: "play",
};

/** All languages in which a category has texts, without the default. */
export function languagesOf(category) {
  const texts = [
    category.hidden_previews_body_placeholder,
    category.category_summary_format,
    ...(category.actions ?? []).flatMap((
      { title, text_input: input },
    ) => [title, input?.button_title, input?.placeholder]),
  ];
  return [...new Set(texts.flatMap((text) => Object.keys(text ?? {})))].filter((each) => each !== "default").sort();
}

/** An identifier for a text like "Buy now" that is not taken: BUY_NOW, BUY_NOW_2. */
export function identifierFor(text, taken) {
  const start = text.toUpperCase().normalize("NFKD").replace(/[^A-Z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 60) ||
    "ACTION";
  let name = start;
  for (let count = 2; taken.includes(name); count += 1) name = `${start}_${count}`;
  return name;
}

/** The body of the request for a copy under another identifier; Apple wants actions to be unique in an app. */
export function copyOf(category, all) {
  const taken = all.map(({ identifier }) => identifier);
  const takenActions = all.flatMap(({ actions }) => actions.map(({ identifier }) => identifier));
  const body = Object.fromEntries(
    fields.filter((field) => category[field] !== undefined && category[field] !== null).map((
      field,
    ) => [field, clone(category[field])]),
  );
  body.identifier = free(`${category.identifier}_copy`, taken);
  body.actions = body.actions.map((action) => {
    const identifier = free(`${action.identifier}_copy`, takenActions);
    takenActions.push(identifier);
    return { ...action, identifier };
  });
  return body;
}

function free(start, taken) {
  let name = start.slice(0, 120);
  for (let count = 2; taken.includes(name); count += 1) name = `${start.slice(0, 120)}_${count}`;
  return name;
}

/** Removes what the editor adds but the API does not want: empty texts and icons. */
export function tidy(changes) {
  const result = { ...changes };
  if (result.actions) {
    result.actions = result.actions.map((action) => {
      const next = { ...action, title: dense(action.title) };
      if (!next.icon || !Object.values(next.icon).some(Boolean)) delete next.icon;
      if (!next.text_input) delete next.text_input;
      else {
        next.text_input = {
          button_title: dense(next.text_input.button_title),
          placeholder: next.text_input.placeholder?.default ? dense(next.text_input.placeholder) : undefined,
        };
        if (!next.text_input.placeholder) delete next.text_input.placeholder;
      }
      return next;
    });
  }
  for (const field of ["hidden_previews_body_placeholder", "category_summary_format"]) {
    if (result[field]) result[field] = dense(result[field]);
  }
  return result;
}

const dense = (text) =>
  Object.fromEntries(Object.entries({ default: "", ...text }).filter(([name, value]) => value || name === "default"));
