// The editor of a campaign: its head, and four steps that share one draft and can be visited in any order.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { api } from "../api.js";
import { ApprovalNote } from "../draft/approval-note.js";
import { openDraft } from "../editor/campaign.js";
import { Conflict } from "../draft/conflict.js";
import { SaveStatus } from "../draft/save-status.js";
import { Tags } from "../editor/tags.js";
import { onKey } from "../keys.js";
import { connection } from "../connection.js";
import { loadModule } from "../modules.js";
import { LoadedPage } from "../loading.js";
import { navigate, route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { StateBadge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { titled } from "../ui/titled.js";
import { toastError } from "../ui/toast.js";

const steps = ["content", "audience", "schedule", "review"];

export default function EditorPage({ attrs: { params } }) {
  const id = params.campaign;
  const draft = openDraft(id);
  const components = {};
  const failures = {};
  let current = null;
  let isRenaming = false;

  const href = (step) => page(`/campaigns/${id}/${step}`);
  const step = () => (steps.includes(route.params.step) ? route.params.step : "content");
  const go = (name) => name && navigate(href(name));

  async function open(name) {
    if (current === name) return;
    current = name;
    draft.flush();
    if (!components[name]) await loadStep(name);
  }
  /** Steps are loaded when they are first opened. */
  async function loadStep(name) {
    try {
      components[name] = (await loadModule(`editor/${name}.js`)).default;
      delete failures[name];
    } catch (error) {
      failures[name] = error;
    }
    m.redraw();
  }
  const endReturn = connection.onReturn(() => {
    if (failures[current]) loadStep(current);
  });
  const keys = [
    onKey("mod+s", () => draft.flush()),
    onKey("mod+Enter", () => go(steps[steps.indexOf(step()) + 1])),
    ...steps.map((name, index) => onKey(`alt+${index + 1}`, () => go(name))),
  ];

  async function unschedule() {
    try {
      draft.accept(await api.post(inApp(`/campaigns/${id}/unschedule`), undefined, { ifMatch: draft.value.version }));
    } catch (error) {
      toastError(error);
      draft.reload();
    }
  }

  const nameHead = () => {
    const { name } = draft.value;
    if (!isRenaming) {
      return m(
        "div.editor-name",
        m("h1", { oncreate: titled, onupdate: titled }, name),
        draft.isEditable && m(Button, {
          variant: "plain",
          class: "small",
          onclick: () => {
            isRenaming = true;
          },
        }, t("action.rename")),
      );
    }
    const problem = name.trim() ? null : t("editor.nameMissing");
    const done = () => {
      if (draft.value.name.trim()) isRenaming = false;
      draft.flush();
    };
    return m(
      "div.editor-name",
      m("h1.visually-hidden", name),
      m(
        "div.grow",
        m("input.name-input", {
          "aria-label": t("editor.name"),
          value: name,
          maxlength: 200,
          "aria-invalid": problem ? "true" : undefined,
          oncreate: ({ dom }) => {
            dom.focus();
            dom.select();
          },
          oninput: (event) => draft.change({ name: event.target.value }),
          onblur: (event) => {
            // The field may be removed in the middle of a drawing, which must not begin another one.
            event.redraw = false;
            requestAnimationFrame(() => m.redraw());
            done();
          },
          onkeydown: (event) => {
            if (["Enter", "Escape"].includes(event.key)) done();
          },
        }),
        problem && m("p.field-help.danger", problem),
      ),
    );
  };

  const stepLink = (name, index) => {
    const problems = draft.problemsOf(name);
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const count = errors || problems.length;
    return m(
      "a",
      { key: name, href: href(name), "aria-current": name === step() ? "step" : undefined, title: `Alt-${index + 1}` },
      m("span.step-number", number(index + 1)),
      t(`editor.step.${name}`),
      name !== "review" && count > 0 &&
        m("span.tab-badge.push", {
          class: errors ? "danger" : "warn",
          "aria-label": t(errors ? "editor.errors" : "editor.warnings", { count }),
        }, `!${number(count)}`),
    );
  };

  const body = () => {
    const name = step();
    open(name);
    const component = components[name];
    const next = steps[steps.indexOf(name) + 1];
    return [
      m(
        "div",
        { key: name },
        component ? m(component, { draft }) : failures[name]
          ? m(
            Banner,
            { variant: "danger", role: "alert" },
            t("error.module"),
            m(Button, { variant: "plain", onclick: () => loadStep(name) }, t("action.retry")),
          )
          : m(Skeleton, { rows: 8 }),
      ),
      // It would move when the step takes the place of its skeleton.
      component &&
      m(
        "div.editor-foot",
        { key: "foot" },
        next &&
          m(Button, { variant: "strong", href: href(next) }, t("editor.next", { step: t(`editor.step.${next}`) })),
      ),
    ].filter(Boolean);
  };

  return {
    onremove: () => {
      keys.forEach((end) => end());
      endReturn();
      draft.end();
    },
    view: () =>
      LoadedPage(
        {
          resource: draft,
          skeleton: m(Skeleton, { rows: 8 }),
          list: { href: page("/campaigns"), title: t("nav.campaigns") },
        },
        (campaign) =>
          m(
            "div.editor",
            m(
              "nav.crumbs",
              { "aria-label": t("editor.crumbs") },
              m("a", { href: page("/campaigns") }, t("nav.campaigns")),
            ),
            m("div.page-head", m("div.grow", nameHead(), m(Tags, { draft })), m(SaveStatus, { draft })),
            m(Conflict, { draft }),
            step() !== "review" && m(ApprovalNote, { draft }),
            !draft.isEditable &&
              m(
                Banner,
                { variant: "note" },
                m(StateBadge, { state: campaign.state }),
                " ",
                t(readOnlyReason(campaign)),
                " ",
                campaign.actions.includes("unschedule") && session.may("campaigns:send") &&
                  m(Button, { variant: "plain", onclick: unschedule }, t("editor.unschedule")),
                !campaign.actions.includes("unschedule") && campaign.state !== "draft" &&
                  m(Button, { variant: "plain", href: page(`/campaigns/${id}/report`) }, t("editor.report")),
              ),
            m("nav.steps", { "aria-label": t("editor.steps") }, steps.map(stepLink)),
            m(
              "label.steps-narrow",
              m("span.visually-hidden", t("editor.steps")),
              m(
                "select",
                { onchange: (event) => go(event.target.value) },
                steps.map((name, index) =>
                  m(
                    "option",
                    { key: name, value: name, selected: name === step() },
                    `${index + 1} ${t(`editor.step.${name}`)}${draft.problemsOf(name).length ? " !" : ""}`,
                  )
                ),
              ),
            ),
            body(),
          ),
      ),
  };
}

/** Steps share the page, so that moving between them is no arrival. */
EditorPage.place = ({ app, campaign }) => `/a/${app}/campaigns/${campaign}/editor`;

function readOnlyReason({ state, actions, archived_at: archived }) {
  if (archived) return "editor.archived";
  if (actions.includes("unschedule")) return "editor.scheduled";
  return state === "draft" || state === "failed" ? "editor.mayNotWrite" : "editor.readOnly";
}
