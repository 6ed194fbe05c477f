/**
 * Puts a text in place of a part of a field, at first of what is selected in it, as typing does: the field's own undo
 * takes it back, and `oninput` is called. The caret stands behind it.
 */
export function insertText(dom, text, start = dom.selectionStart, end = dom.selectionEnd) {
  dom.focus();
  dom.setSelectionRange(start, end);
  // There is no newer way to change a field that its undo knows.
  if (document.execCommand("insertText", false, text)) return;
  dom.setRangeText(text, start, end, "end");
  dom.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}
