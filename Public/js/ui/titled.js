import { session } from "../session.js";

/** Gives the document the title of a heading: the page is drawn before its name is known. */
export function titled({ dom }) {
  document.title = [dom.textContent, session.thisApp?.name, "Belfry"].filter(Boolean).join(" · ");
}
