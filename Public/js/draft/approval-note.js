// A notice above a draft: a change ends the requested or given approval, or the reason why it was rejected.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { Banner } from "../ui/banner.js";

export const ApprovalNote = {
  view: ({ attrs: { draft } }) => {
    const { approval } = draft.value;
    if (!approval || !draft.isEditable) return null;
    const { state, requested_by: author, decided_by: name, decided_at: at, decision_comment: reason } = approval;
    if (state === "rejected") {
      return m(
        Banner,
        { variant: "warn" },
        t("editor.approvalRejected", { name, time: moment(at) }),
        m("span", { dir: "auto" }, ` “${reason}”`),
      );
    }
    if (state === "waiting") return m(Banner, { variant: "note" }, t("editor.approvalWaits", { name: author }));
    if (state === "approved") return m(Banner, { variant: "note" }, t("editor.approvalHolds", { name }));
    return null;
  },
};
