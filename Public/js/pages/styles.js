// Every component in its states, for contributors. Texts are samples, so they are not translated.

import m from "../m.js";
import { bytes, duration, moment, number, relative, share } from "../i18n.js";
import { Badge, Kind, StateBadge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Bell } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Check, Choices, NumberField, SelectField, Switch, TextField } from "../ui/field.js";
import { FileDrop } from "../ui/file-drop.js";
import { Ledger } from "../ui/ledger.js";
import { Menu } from "../ui/menu.js";
import { Meter, Progress } from "../ui/meter.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { Term } from "../ui/term.js";
import { toast } from "../ui/toast.js";

const part = (title, ...children) => m("section.sheet.stack", { key: title }, m("h2", title), children);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const colors = ["ground", "sheet", "sunk", "ink", "soft", "line", "edge", "bronze", "grave", "good", "warn"];
const kinds = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"];
const states = ["draft", "scheduled", "sending", "waiting", "paused", "sent", "cancelled", "failed"];
const sample = { targeted: 182_400, accepted: 107_046, rejected: 240, suppressed: 5_802, expired: 0, cancelled: 0, unknown: 0, pending: 69_312 };
const records = [{ id: "1", name: "Moon Lovers", count: 182_400 }, { id: "2", name: "Lucky Draw", count: 1_204 }, { id: "3", name: "Evening bells", count: 0 }];

export default function StylesPage() {
  const selection = new Set(["2"]);
  const values = { text: "Moon Lovers", choice: "a", on: true, tab: "en", number: 30 };
  let isOpen = false;
  const set = (name) => (value) => { values[name] = value; };
  return {
    view: () => [
      m("div.page-head", m("h1", "Styles"), m(Bell)),
      m("div.stack", { style: { gap: "24px" } }, [
        part("Colours", m("div.row", colors.map((name) => m("span.swatch", { key: name }, m("i", { style: { background: `var(--${name})` } }), name)))),
        part("Type", m("p", { style: { font: "var(--headline)" } }, "Headline 30/36"), m("h2", "Title 20/26"), m("p.lead", "Lead 17/24"), m("p", "Text 15/22, with a ", m("a", { href: "/styles" }, "link"), " and ", m("code", "code"), "."), m("p.meta", "Meta 13/20"), m("p.figure-large", "182,400")),
        part("Buttons", m("div.row", m(Button, { look: "strong" }, "Strong"), m(Button, "Plain edge"), m(Button, { look: "plain" }, "Quiet"), m(Button, { look: "grave" }, "Grave"),
          m(Button, { icon: "plus-lg" }, "With icon"), m(Button, { onclick: () => wait(1500) }, "Busy on click"), m(Button, { busy: true, look: "strong" }, "Busy"), m(Button, { reason: "Add a title first." }, "Disabled with reason"), m(Button, { class: "small" }, "Small"))),
        part("Fields", m("div.columns",
          m(TextField, { label: "Title", value: values.text, help: "11 of about 35 letters", oninput: set("text") }),
          m(TextField, { label: "Body", rows: 2, value: "", placeholder: "Hi {{ first_name }}", optional: true, oninput() {} }),
          m(TextField, { label: "Name", value: "", error: "Give it a name.", oninput() {} }),
          m(NumberField, { label: "Late starts", value: values.number, unit: "minutes", oninput: set("number") }),
          m(SelectField, { label: "Sound", value: "a", options: [{ value: "a", label: "Default" }, { value: "b", label: "bell.caf" }], onchange() {} }),
          m(TextField, { label: "Key", value: "ABC123", readonly: true, oninput() {} })),
          m(Choices, { label: "When", value: values.choice, onchange: set("choice"), inline: true, options: [{ value: "a", label: "Now" }, { value: "b", label: "At a time" }, { value: "c", label: "Local time" }] }),
          m(Switch, { label: "Quiet hours", help: "From 22:00 to 08:00, where the phone is.", checked: values.on, onchange: set("on") }),
          m(Check, { label: "I have seen it", checked: values.on, onchange: set("on") }), m(Search, { label: "Search", onsearch() {} }),
          m("div.columns", m(FileDrop, { label: "Drop the .p8 file here", help: "or choose it.", icon: "key", onfile() {} }), m(FileDrop, { label: "Drop a file here", name: "AuthKey_ABC123.p8", help: "Choose another file", onfile() {} }),
            m(FileDrop, { label: "Drop a file here", help: "or choose one.", slim: true, onfile() {} }), m(FileDrop, { label: "Sending it", slim: true, isBusy: true, onfile() {} }),
            m(FileDrop, { label: "Drop the .p8 file here", help: "or choose it.", slim: true, error: "There is no private key in this file.", onfile() {} }))),
        part("Badges, chips, tabs", m("div.row", states.map((state) => m(StateBadge, { state }))), m("div.row", kinds.map((kind) => m(Kind, { kind }))),
          m("div.row", m(Badge, { look: "simulator" }, "Simulator"), m(Badge, { look: "apple" }, "Apple"), m(Badge, "v2"), m(Badge, { look: "warn" }, "1 warning")),
          m("div.chips", m("button.chip", { "aria-pressed": "true" }, "All 214"), m("button.chip", "Running 1"), m("button.chip", "Drafts 9")),
          m(Tabs, { label: "Languages", active: values.tab, onchange: set("tab"), tabs: [{ id: "en", label: "English" }, { id: "zh", label: "中文", badge: 1 }, { id: "ja", label: "日本語" }] })),
        part("Table", m(Table, {
          label: "Campaigns", records, selection, href: () => "/styles",
          columns: [{ id: "name", label: "Name", wide: true, cell: ({ name }) => name }, { id: "count", label: "Devices", number: true, cell: ({ count }) => number(count) }],
        })),
        part("Ledger and meters", m(Ledger, { ledger: sample, href: () => "/styles" }), m(Meter, { label: "62 % done", all: 182_400, parts: kinds.map((kind) => ({ kind, label: kind, value: sample[kind] })) }), m(Progress, { value: 0.4, label: "Import" })),
        part("Messages", m(Banner, "A note."), m(Banner, { look: "warn" }, "488 have no first_name."), m(Banner, { look: "grave" }, "Apple refused the key. Nothing was sent."), m(Banner, { look: "good" }, "Apple took it for Mei's iPhone."),
          m("div.row", m(Button, { onclick: () => toast("Archived.", { undo() {} }) }, "Toast"), m(Button, { onclick: () => { isOpen = true; } }, "Dialog"),
            m(Button, { onclick: () => ask({ title: "Send to 176,598 devices?", text: "They get “Moon Lovers” now.", confirm: "Send now to 176,598", look: "strong", typed: "176598", typedLabel: "Type 176598 to send." }) }, "Question with typing"),
            m(Menu, { label: "Menu", items: [{ label: "Duplicate", icon: "files", onclick() {} }, { label: "Delete", icon: "trash", look: "grave", onclick() {} }] }))),
        part("Empty, loading", m(Empty, { icon: "bell", title: "No campaigns yet", text: "Start from a template." }, m(Button, { look: "strong" }, "New campaign")), m(Skeleton, { rows: 3 })),
        part("Words", m("p", "Apple has ", m(Term, { name: "accepted" }), " 107,046 (", share(107_046, 182_400), "), ", bytes(812), ", ", moment(Date.now() + 7.2e6), ", ", relative(Date.now() + 7.2e6), ", ", duration(72_000), "."), m(Copy, { label: "Key", text: "bfp_…" })),
      ]),
      isOpen && m(Dialog, { title: "A dialog", onclose: () => { isOpen = false; }, actions: m(Button, { look: "strong", onclick: () => { isOpen = false; } }, "Fine") }, m("p", "With some text.")),
    ],
  };
}
