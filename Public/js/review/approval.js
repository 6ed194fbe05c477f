// The approval of a campaign by a second person: the request, what has changed since the one before, and the decision.

import m from "../m.js";
import { loadTexts, moment, t } from "../i18n.js";
import { api } from "../api.js";
import { refreshApprovals } from "../approvals.js";
import { changesOf } from "../audit/changes.js";
import { same } from "../json/difference.js";
import { errorText } from "../problems/error-text.js";
import { countOf, countWords } from "../schedule/count-of.js";
import { isAsked } from "./approval-state.js";
import { inApp, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { toast } from "../ui/toast.js";

await Promise.all([loadTexts("approval"), loadTexts("access")]);

const maxlength = 1_000;

/**
 * `draft` is the campaign and `data` its forecast, which `again()` counts again; `reason` is why nothing can be
 * requested now.
 */
export default function Approval({ attrs }) {
  let comment = "", error = null, request = null, asked = null, isBusy = false;

  async function load(id) {
    asked = id;
    request = null;
    try {
      request = await api.get(inApp(`/approvals/${id}`));
    } catch (failure) {
      error = failure;
    }
    m.redraw();
  }
  async function act(path, text, body) {
    isBusy = true;
    error = null;
    try {
      if (!await attrs.draft.flush()) throw new Error(t("review.notSaved"));
      await api.post(inApp(path), body, { timeoutMs: 60_000 });
      toast(text);
      comment = "";
      asked = null;
      await attrs.draft.reload();
      attrs.again();
      refreshApprovals();
    } catch (failure) {
      error = failure;
    }
    isBusy = false;
    m.redraw();
  }
  const words = () => (comment.trim() ? { comment: comment.trim() } : undefined);
  const commentField = (label, help) =>
    m(TextField, { label, help, rows: 2, maxlength, value: comment, oninput: (value) => (comment = value) });

  function waiting({ data }) {
    if (!request) return null;
    const { id, is_own: isOwn, may_decide: mayDecide, requested_by: name, requested_at: at, state } = request;
    const shown = { count: countOf(data).value, devices: countWords(countOf(data)) };
    const isLate = state === "overdue";
    return [
      m(
        "p",
        t(isOwn ? "approval.youAsked" : "approval.asks", { name, time: moment(at) }),
        request.comment && m("span.quote", { dir: "auto" }, ` “${request.comment}”`),
      ),
      isLate && m(Banner, { variant: "warn" }, t("approval.overdue")),
      m(Changes, { request }),
      mayDecide && [
        commentField(t("approval.comment")),
        m(
          "div.row",
          m(Button, {
            variant: "strong",
            icon: "check2",
            busy: isBusy,
            onclick: () => act(`/approvals/${id}/approve`, t("approval.approvedNow"), words()),
          }, t("approval.approve", shown)),
          m(Button, {
            busy: isBusy,
            reason: comment.trim() ? undefined : t("approval.rejectWhy"),
            onclick: () => act(`/approvals/${id}/reject`, t("approval.rejectedNow"), words()),
          }, t("approval.reject")),
        ),
      ],
      !mayDecide && !isLate && m("p.soft", t(isOwn ? "approval.notOwn" : "approval.waits")),
      isOwn && session.may("campaigns:write") && m(
        "div.row",
        m(Button, {
          busy: isBusy,
          onclick: () => act(`/approvals/${id}/withdraw`, t("approval.withdrawnNow")),
        }, t("approval.withdraw")),
      ),
    ];
  }

  function missing({ draft, data, reason }) {
    const { id, approval } = draft.value;
    const shown = { count: countOf(data).value, devices: countWords(countOf(data)) };
    const isRejected = approval?.state === "rejected";
    return [
      isRejected && m(
        Banner,
        { variant: "warn" },
        t("approval.rejected", { name: approval.decided_by, time: moment(approval.decided_at) }),
        m("span.quote", { dir: "auto" }, ` “${approval.decision_comment}”`),
      ),
      data.approval !== "missing" && m(Banner, { variant: "warn" }, t(`approval.standing.${data.approval}`)),
      m("p.soft", t("approval.needed")),
      session.may("campaigns:write")
        ? [
          commentField(t("approval.commentFor"), t("approval.commentHelp")),
          m(
            "div.row",
            m(Button, {
              variant: "strong",
              icon: "person-check",
              busy: isBusy,
              reason,
              onclick: () => act(`/campaigns/${id}/approvals`, t("approval.requested"), words()),
            }, t("approval.request", shown)),
          ),
          reason && m("p.soft", { role: "status" }, reason),
        ]
        : m("p.soft", t("approval.mayNotRequest")),
    ];
  }

  return {
    view: (vnode) => {
      ({ attrs } = vnode);
      const { approval } = attrs.draft.value;
      const isWaiting = isAsked(attrs.draft.value, attrs.data);
      if (isWaiting && asked !== approval.id) load(approval.id);
      return m(
        "div.stack.approval",
        { style: { "--gap": "12px" } },
        m("h2", t("approval.title")),
        isWaiting ? waiting(attrs) : missing(attrs),
        error && m(Banner, { variant: "danger", role: "alert" }, errorText(error)),
      );
    },
  };
}

/** What differs from the campaign's request before, in the words of the form. */
const Changes = {
  view: ({ attrs: { request: { content, previous } } }) => {
    if (!previous) return m("p.soft", t("approval.first"));
    const changes = changesOf(changed(previous.content, content));
    const key = previous.state === "rejected" ? "sinceRejected" : previous.state === "approved" ||
        previous.state === "void" && previous.decided_at
      ? "sinceApproved"
      : "since";
    const values = {
      name: previous.decided_by ?? "",
      time: moment(previous.decided_at ?? previous.requested_at),
    };
    return [
      m("p", t(`approval.${key}`, values)),
      previous.state === "rejected" && m("p.quote", { dir: "auto" }, `“${previous.decision_comment}”`),
      changes.length
        ? m(
          "dl.diff",
          changes.map(({ path, name, before, after }) =>
            m(
              "div",
              { key: path },
              m("dt", m("b", name ?? path)),
              before && m("dd", m("del", before.text ?? m("code", before.code))),
              after && m("dd", m("ins", after.text ?? m("code", after.code))),
            )
          ),
        )
        : m("p.soft", t("approval.same")),
    ];
  },
};

/** {before, after}: the members that differ. An audience without segments says its change once. */
function changed(before, after) {
  const hasSegments = [before, after].some((each) => !same(each.resolved_audience, each.audience));
  const members = Object.keys(after).filter((each) =>
    !same(before[each], after[each]) && (each !== "resolved_audience" || hasSegments)
  );
  const only = (content) => Object.fromEntries(members.map((each) => [each, content[each]]));
  return { before: only(before), after: only(after) };
}
