// The newest records of one person, as a part of their page.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { page } from "../session.js";
import { Skeleton } from "../ui/skeleton.js";
import { namesOf } from "./names.js";
import { actionWords } from "./words.js";

/** The number of records that are shown, and of those that are searched for them. */
const limit = 6, asked = 100;

/** `actor` is the e-mail address; the API finds a part of the name, so others are left out here. */
export function Latest({ attrs: { actor } }) {
  const names = namesOf();
  const resource = load(async (signal) => {
    const { data, next_cursor: next } = await api.get("/v1/audit", { actor, limit: asked }, { signal });
    const records = data.filter((each) => each.actor.name === actor).slice(0, limit);
    names.learn(records, signal);
    return { records, isAll: !next };
  });
  return {
    onremove: () => resource.end(),
    view: () =>
      m(
        "section.sheet.stack",
        { "aria-labelledby": "latest" },
        m(
          "div.row",
          m("h2#latest", t("audit.latest")),
          m("a.push", { href: page(`/audit?${new URLSearchParams({ scope: "all", actor })}`) }, t("audit.all")),
        ),
        Loaded({ resource, skeleton: m(Skeleton, { rows: 4 }) }, ({ records, isAll }) => (records.length
          ? m(
            "ul.audit-latest",
            records.map((record) =>
              m(
                "li",
                { key: record.id },
                m("span.soft.audit-when", moment(record.at)),
                m("span.anywhere", actionWords(record, names.subjectOf(record))),
              )
            ),
          )
          : isAll && m("p.soft", t("audit.nothingYet")))),
      ),
  };
}
