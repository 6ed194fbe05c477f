// Actions on campaigns and runs. Each shows a message afterwards, also for an error, and throws nothing.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { navigate } from "../router.js";
import { inApp, page } from "../session.js";
import { ask } from "../ui/dialog.js";
import { toast, toastError } from "../ui/toast.js";
import { newPayload } from "../content/new-content.js";
import { done, total } from "./run.js";

/** Runs work; returns what it returned, or null after telling its error. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    toastError(error);
    return null;
  } finally {
    m.redraw();
  }
}

/** Creates a draft with nothing in it and opens its content. */
export function createCampaign() {
  return attempt(async () => {
    const body = { name: t("campaigns.newName"), content: { payload: newPayload() } };
    const made = await api.post(inApp("/campaigns"), body, { idempotencyKey: newIdempotencyKey() });
    navigate(page(`/campaigns/${made.id}/content`));
  });
}

/** A draft with the same content, audience and rules. */
export function duplicateCampaign(campaign) {
  return attempt(async () => {
    const made = await api.post(inApp(`/campaigns/${campaign.id}/duplicate`), undefined, {
      idempotencyKey: newIdempotencyKey(),
    });
    navigate(page(`/campaigns/${made.id}/content`));
    toast(t("campaigns.duplicated", { name: made.name }));
  });
}

/** Deletes a draft for good, if the person agrees. Returns whether it did. */
export async function deleteDraft(campaign) {
  const agrees = await ask({
    title: t("campaigns.deleteTitle", { name: campaign.name }),
    text: t("campaigns.deleteText"),
    confirm: t("campaigns.deleteConfirm"),
  });
  return agrees && (await attempt(async () => {
        await api.delete(inApp(`/campaigns/${campaign.id}`), { ifMatch: campaign.version });
        return true;
      })) === true;
}

/** The most ids of one request. */
const batch = 200;

/**
 * Archives campaigns, or takes them out with `isBack`, and offers to undo it. `reload` shows the list as it is then.
 * Names the campaigns that can't be archived (they are being sent).
 */
export function archiveCampaigns(ids, reload, { isBack = false, isUndo = false } = {}) {
  return attempt(async () => {
    const failed = [];
    const changed = [];
    for (let from = 0; from < ids.length; from += batch) {
      const part = ids.slice(from, from + batch);
      const answer = await api.post(inApp(`/campaigns/${isBack ? "unarchive" : "archive"}`), { ids: part });
      failed.push(...answer.failed);
      const refused = new Set(answer.failed.map(({ index }) => index));
      changed.push(...part.filter((_, index) => !refused.has(index)));
    }
    await reload();
    if (changed.length && !isUndo) {
      toast(t(isBack ? "campaigns.unarchived" : "campaigns.archived", { count: changed.length }), {
        undo: () => archiveCampaigns(changed, reload, { isBack: !isBack, isUndo: true }),
      });
    }
    if (failed.length) {
      toast(t("campaigns.notArchived", { count: failed.length, message: failed[0].message }), { variant: "danger" });
    }
  });
}

/** `action` is pause or resume; returns the run's totals, or null. */
export function steerRun(run, action) {
  return attempt(() => api.post(inApp(`/runs/${run.id}/${action}`)));
}

/** Cancels a run for good, if the person agrees. Returns its totals, or null. */
export async function cancelRun(run) {
  const left = Math.max(0, total(run) - done(run));
  const agrees = await ask({
    title: t("report.cancelTitle"),
    text: t("report.cancelText", { count: left }),
    confirm: t("report.cancelConfirm", { count: number(left) }),
  });
  return agrees ? steerRun(run, "cancel") : null;
}
