// Tags and opt-outs of a device or a person: each click is a change of its own, and can be undone.

import m from "../m.js";
import { t } from "../i18n.js";
import { inApp, session } from "../session.js";
import { allWithArchive } from "../setup/archive.js";
import { ask } from "../ui/dialog.js";
import { toast, toastError } from "../ui/toast.js";
import { ChipList } from "./chips.js";

/** `values` are the tags; `change(body)` sends a PATCH and shows its result. */
export const Tags = {
  view: ({ attrs: { values, change } }) => {
    const send = (body, text, back) =>
      change(body).then(() => {
        toast(text, { undo: () => change(back).catch(toastError) });
      }, (error) => {
        toastError(error);
        return false;
      });
    const mayEdit = session.may("devices:write");
    return m(ChipList, {
      label: t("person.tags"),
      addLabel: t("person.newTag"),
      values,
      empty: t("person.noTags"),
      add: mayEdit &&
        ((tag) =>
          values.includes(tag) || send({ add_tags: [tag] }, t("person.tagAdded", { tag }), { remove_tags: [tag] })),
      remove: (tag) => send({ remove_tags: [tag] }, t("person.tagRemoved", { tag }), { add_tags: [tag] }),
    });
  },
};

/** The key of the opt-out from all campaigns. */
const everything = "*";

/** What was opted out of: topics, or all campaigns. Taking one back needs the person's word, so it asks. */
export function OptOuts() {
  let topics = [];
  return {
    oninit: () => {
      if (session.may("apps:read")) {
        allWithArchive(inApp("/topics")).then((found) => {
          topics = found;
          m.redraw();
        }, () => {});
      }
    },
    view: ({ attrs: { values, change } }) => {
      const nameOf = (key) =>
        key === everything ? t("person.allCampaigns") : topics.find((each) => each.key === key)?.name ?? key;
      const fail = (error) => {
        toastError(error);
        return false;
      };
      return m(ChipList, {
        label: t("person.optOuts"),
        addLabel: t("person.optOutOf"),
        values,
        nameOf,
        empty: t("person.noOptOuts"),
        options: [{ key: everything }, ...topics.filter(({ archived_at: archived }) => !archived)]
          .filter(({ key }) => !values.includes(key)).map(({ key }) => ({ value: key, label: nameOf(key) })),
        add: session.may("devices:write") && ((key) =>
          change({ add_opt_outs: [key] }).then(() => {
            toast(key === everything ? t("person.optedOutOfAll") : t("person.optedOut", { name: nameOf(key) }), {
              undo: () => change({ remove_opt_outs: [key] }).catch(toastError),
            });
          }, fail)),
        remove: async (key) => {
          const isSure = await ask({
            title: t("person.optInTitle", { name: nameOf(key) }),
            text: t("person.optInText"),
            confirm: t("person.optIn"),
            variant: "strong",
          });
          if (isSure) {
            await change({ remove_opt_outs: [key] }).then(
              () => toast(key === everything ? t("person.optedInToAll") : t("person.optedIn", { name: nameOf(key) })),
              fail,
            );
          }
        },
      });
    },
  };
}
