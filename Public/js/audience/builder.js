// Builds an audience: groups of all, any and none, nested, with conditions; below the same as a sentence.

import m from "../m.js";
import { t } from "../i18n.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Condition } from "./condition.js";
import { blank } from "./fields.js";
import { Pick } from "./inputs.js";
import { direction } from "./moving.js";
import { SegmentPicker } from "./segment-picker.js";
import { sentence } from "./sentence.js";
import * as trees from "./tree.js";
import { known } from "./values.js";

/**
 * Attributes: `value`, an audience of the API; `onchange(audience)` for each change that leaves it complete; `problems`
 * of the API; `memory`, an object in which unfinished conditions survive while the builder is not drawn; `campaign`,
 * the id of the one that it is for; `except`, the id of a segment that must not be offered; `readonly`.
 */
export function AudienceBuilder({ attrs: { memory = {} } }) {
  const touched = new Set();

  function take(value) {
    if (!memory.tree || !trees.isSame(memory.value, value)) {
      Object.assign(memory, { tree: trees.fromAudience(value), value });
      touched.clear();
    }
  }

  return {
    view: ({ attrs: { value, onchange, problems = [], except, campaign, readonly } }) => {
      take(value);
      const values = known();
      if (readonly) return m("p.lead.audience-sentence", sentence(value, values.names));
      const change = (tree) => {
        memory.tree = tree;
        if (trees.unfinished(tree).length) return;
        memory.value = trees.toAudience(tree);
        onchange(memory.value);
      };
      const open = trees.unfinished(memory.tree);
      const placed = trees.placeProblems(problems, memory.tree);
      const context = { values, except, campaign, placed, touched, change, tree: memory.tree };
      return m(
        "div.audience",
        {
          onkeydown: (event) => moveByKey(event, memory, change),
          onfocusout: (event) => {
            // An element that is removed while it has the focus comes here in the middle of a drawing.
            event.redraw = false;
            const id = event.target.closest?.("[data-node]")?.dataset.node;
            if (id && !event.target.closest("[data-node]").contains(event.relatedTarget)) touched.add(id);
          },
        },
        (placed.get("") ?? []).map((each) => m(Banner, { variant: "danger", role: "alert" }, each.message)),
        m(Group, { node: memory.tree.include, lead: t("audience.include"), context }),
        m(Group, { node: memory.tree.exclude, lead: t("audience.exclude"), context }),
        open.length > 0 &&
          m(Banner, { variant: "warn", role: "status" }, t("audience.unfinished", { count: open.length })),
        m("p.audience-sentence", { "aria-live": "polite" }, sentence(value, values.names)),
        values.failed?.length > 0 && m("p.field-help.soft", t("audience.noCompletion")),
      );
    },
  };
}

/** Alt-arrows move the condition or group in which the focus is, and the focus goes with it. */
function moveByKey(event, memory, change) {
  const way = direction(event);
  const element = event.target.closest("[data-node]");
  if (!way || !element) return;
  event.preventDefault();
  const { node: id } = element.dataset;
  const controls = [...element.querySelectorAll("select, input, button, summary")];
  const index = controls.indexOf(event.target);
  // It takes what was typed before it is moved.
  event.target.blur();
  change(trees.move(memory.tree, id, way));
  focusIn(id, Math.max(0, index));
}

/** After the next drawing. */
function focusIn(id, index = 0) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.querySelector(`[data-node="${id}"]`)?.querySelectorAll("select, input, button, summary")[index]?.focus();
    })
  );
}
function focusOn(selector) {
  requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector(selector)?.focus()));
}

const Group = {
  view: ({ attrs: { node, lead, context } }) => {
    const { tree, change, values, except, campaign, placed, touched } = context;
    const isRoot = lead !== undefined;
    const put = (child) => {
      change(trees.add(tree, node.id, child));
      focusIn(child.id);
    };
    const drop = (id) => {
      const next = trees.beside(tree, id);
      const group = trees.pathTo(tree, id).at(-2);
      change(trees.remove(tree, id));
      if (next) focusIn(next.id);
      else focusOn(`[data-add="${group.id}"]`);
    };
    const segments = values.segments.filter(({ id }) => id !== except);
    const addCondition = () => put(trees.condition(blank("field:language")));
    return m(
      "fieldset.audience-group",
      { class: isRoot ? "root" : "", "data-node": isRoot ? undefined : node.id },
      m("legend.visually-hidden", lead ?? t("audience.groupLabel")),
      m(
        "div.row.group-head",
        isRoot && m("b", lead),
        (node.children.length > 1 || !isRoot) && m(Pick, {
          label: t("audience.mode"),
          value: node.mode,
          class: "mode",
          options: trees.modes.map((value) => ({ value, label: t(`audience.modes.${value}`) })),
          onchange: (mode) => change(trees.update(tree, node.id, (each) => ({ ...each, mode }))),
        }),
        isRoot && node.children.length === 0 &&
          m("span.soft", t(node === tree.include ? "audience.everyone" : "audience.nobody")),
        !isRoot &&
          m("button.close.push", {
            type: "button",
            "aria-label": t("audience.removeGroup"),
            title: t("audience.removeGroup"),
            onclick: () => drop(node.id),
          }, "×"),
      ),
      m(
        "div.group-body",
        node.children.map((child) =>
          trees.isGroup(child) ? m(Group, { key: child.id, node: child, context }) : m(Condition, {
            key: child.id,
            node: child,
            known: values,
            except,
            campaign,
            problems: placed.get(child.id),
            isTouched: touched.has(child.id),
            onchange: (next) => change(trees.update(tree, child.id, () => next)),
            ondrop: () => drop(child.id),
            onmove: (way) => {
              change(trees.move(tree, child.id, way));
              focusIn(child.id);
            },
          })
        ),
      ),
      m(
        "div.row.group-foot",
        m(
          Button,
          { class: "small", icon: "plus-lg", "data-add": node.id, onclick: addCondition },
          t("audience.addCondition"),
        ),
        m(Button, {
          class: "small",
          variant: "plain",
          onclick: () =>
            put(trees.group(node.mode === "all" ? "any" : "all", [trees.condition(blank("field:language"))])),
        }, t("audience.addGroup")),
        isRoot && node === tree.include &&
          segments.length > 0 && m(SegmentPicker, {
            segments,
            button: { icon: "people", class: "small" },
            text: t("audience.useSegment"),
            onpick: (id) => put(trees.condition({ segment: id })),
          }),
      ),
    );
  },
};
