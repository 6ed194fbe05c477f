// What a reader should know about a run before its numbers: why it is paused, that numbers are old, where it goes next.

import m from "../m.js";
import { clock, langOf, t } from "../i18n.js";
import { asksToStart, done, isMoving, isOver, total } from "../campaigns/run.js";
import { connection } from "../connection.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { nextSendText } from "./figures.js";

/** `watch` follows the run (`watchRun`); `hasNewer`: another run began after it, which `onnewer()` shows. */
export const RunNotes = {
  view: ({ attrs: { watch: { run, isAway, lastAt, error }, hasNewer, onnewer } }) => {
    const where = nextSendText(run);
    return [
      hasNewer &&
      m(
        Banner,
        { variant: "note", role: "status" },
        t("report.newer"),
        m(Button, { variant: "plain", onclick: onnewer }, t("report.showNewer")),
      ),
      (isAway || (connection.isOffline && !isOver(run))) &&
      m(
        Banner,
        { variant: "warn", role: "status" },
        t("report.reconnecting", { time: clock(lastAt, { seconds: true }) }),
      ),
      error && m(Banner, { variant: "danger", role: "alert" }, error.message),
      run.state === "paused" && !asksToStart(run) &&
      m(
        Banner,
        { variant: "warn", role: "status" },
        t("report.pausedBy", { done: done(run), left: total(run) - done(run) }),
        run.reason && m("p", { lang: langOf(run.reason) }, run.reason),
      ),
      isMoving(run) && run.reason &&
      m(Banner, { variant: "note", role: "status" }, m("span", { lang: langOf(run.reason) }, run.reason)),
      run.state === "cancelled" && run.reason &&
      m(Banner, { variant: "note" }, m("span", { lang: langOf(run.reason) }, run.reason)),
      where && m(Banner, { variant: "note", role: "status" }, where),
    ].filter(Boolean);
  },
};
