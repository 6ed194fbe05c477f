import m from "../m.js";
import { has, t } from "../i18n.js";

/** A small label; `variant` is a colour: good, warn, danger, simulator, apple, or none. */
export const Badge = {
  view: ({ attrs: { variant = "", ...rest }, children }) => m("span.badge", { ...rest, class: variant }, children),
};

/** The state of a campaign or run: a dot whose shape and colour differ, and the word. */
export const StateBadge = {
  view: ({ attrs: { state } }) =>
    m("span.state", { "data-state": state }, has(`state.of.${state}`) ? t(`state.of.${state}`) : state),
};

/** An outcome of the ledger with its colour. */
export const Kind = {
  view: ({ attrs: { kind }, children }) =>
    m("span.kind", { "data-kind": kind }, children?.length ? children : t(`term.${kind}.name`)),
};
