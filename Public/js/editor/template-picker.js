// Chooses the template that a text begins with.

import m from "../m.js";
import { t } from "../i18n.js";
import { all, api } from "../api.js";
import { copiedMembers } from "../content/copied.js";
import { load, Loaded } from "../loading.js";
import { inApp } from "../session.js";
import { Picker } from "../ui/picker.js";
import { toastError } from "../ui/toast.js";

/** `pushType` of the campaign; `take(members, text)` gets the members to change, and what is said about it. */
export default function TemplatePicker() {
  const templates = load((signal) => all(inApp("/templates"), { sort: "name" }, { signal }));
  async function choose({ id, name }, { pushType, take }) {
    try {
      const { content } = await api.get(inApp(`/templates/${id}`));
      take(
        // The usual priority depends on the kind of push.
        { ...(content.push_type !== pushType && { priority: null }), ...copiedMembers(content) },
        t("content.templateTaken", { name }),
      );
    } catch (error) {
      toastError(error);
    }
  }
  return {
    onremove: () => templates.end(),
    view: ({ attrs }) =>
      Loaded({ resource: templates }, (found) =>
        m(Picker, {
          label: t("templates.search"),
          find: (typed) => found.filter(({ name }) => name.toLocaleLowerCase().includes(typed.toLocaleLowerCase())),
          option: ({ name }) => m("span.cut", { dir: "auto" }, name),
          take: (template) => choose(template, attrs),
          none: (typed) => t(typed ? "content.noSuchTemplate" : "templates.empty"),
        })),
  };
}
