// The buttons that were typed for one push. They are members of the payload; the app's extension makes a category of
// them. Does not use the DOM or the network.

import { isObject, put } from "../json/paths.js";

export const buttonsKey = "belfry-buttons";
/** iOS shows no more. */
export const mostButtons = 4;
const longestID = 64;

/** [{id, title, link, destructive}] */
export function buttonsOf(payload) {
  const buttons = payload?.[buttonsKey];
  return Array.isArray(buttons) ? buttons.filter(isObject) : [];
}

/** The payload with these buttons, which take the place of a category's. Their extension must run. */
export function withButtons(payload, buttons) {
  if (!buttons.length) return put(payload, [buttonsKey], undefined);
  const { category: _, ...aps } = payload?.aps ?? {};
  return { ...payload, aps: { ...aps, "mutable-content": 1 }, [buttonsKey]: buttons };
}

/** A new button, whose ID no other has. */
export function newButton(buttons) {
  const taken = new Set(buttons.map(({ id }) => id));
  const number = [1, 2, 3, 4, 5].find((each) => !taken.has(`button-${each}`));
  return { id: `button-${number}`, title: "" };
}

/**
 * The button with another title. Its ID, by which statistics name it, follows the title as long as nobody has chosen
 * another: "Remind me" is remind-me. `others` are the other buttons.
 */
export function retitled(button, title, others) {
  const isOwn = button.id !== idFor(button.title) && !/^button-\d+$/.test(button.id);
  const id = idFor(title);
  const isFree = id && !others.some((other) => other.id === id);
  return { ...button, title, ...(!isOwn && isFree && { id }) };
}

const idFor = (title) =>
  title.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, "").normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(
    /^-+|-+$/g,
    "",
  ).slice(0, longestID);

/** What languages share of buttons: all but the titles. */
export const shapeOf = (buttons) =>
  Array.isArray(buttons) ? buttons.map((button) => (isObject(button) ? { ...button, title: null } : button)) : buttons;

/** `source`'s buttons with the titles that `own` has for them, if they are others than those of `before`. */
export function withOwnTitles(source, own, before) {
  if (!Array.isArray(source) || !Array.isArray(own)) return source;
  const isSameLength = source.length === own.length;
  // An ID that follows its title changes with it; the button stays in its place.
  const titleIn = (list, { id }, place) =>
    Array.isArray(list)
      ? (list.find((each) => each?.id === id) ?? (isSameLength ? list[place] : undefined))?.title
      : undefined;
  return source.map((button, place) => {
    if (!isObject(button)) return button;
    const title = titleIn(own, button, place);
    return title === undefined || title === titleIn(before, button, place) ? button : { ...button, title };
  });
}

/** The category that the phone of the preview shows: of the typed buttons, or one of the app's; null without. */
export function shownCategory(payload, categories, write = (text) => text) {
  const buttons = buttonsOf(payload);
  if (!buttons.length) return categories.find(({ identifier }) => identifier === payload?.aps?.category) ?? null;
  return {
    identifier: buttonsKey,
    options: [],
    actions: buttons.map(({ id, title, destructive }) => ({
      identifier: id,
      title: { default: write(String(title ?? "")) },
      options: destructive ? ["destructive"] : [],
    })),
  };
}
