// Finds the end of the visible part of a clamped text, measured in the drawn page.

/** The last word of `dom` that can be seen, or null if all of it can. */
export function lastVisibleWord(dom) {
  const node = dom.firstChild;
  if (!node || dom.scrollHeight <= dom.clientHeight + 1 && dom.scrollWidth <= dom.clientWidth + 1) return null;
  const { bottom, right, left } = dom.getBoundingClientRect();
  const text = node.textContent;
  const range = document.createRange();
  // The texts on lines below the last are out of sight; on a single line, so is what is beyond its end.
  const isVisible = (index) => {
    range.setStart(node, index);
    range.setEnd(node, index + 1);
    const box = range.getBoundingClientRect();
    return box.bottom <= bottom + 2 && box.right <= right + 1 && box.left >= left - 1;
  };
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isVisible(middle)) low = middle + 1;
    else high = middle;
  }
  // The ellipsis takes the room of about two letters.
  const end = Math.max(0, low - 2);
  const seen = text.slice(0, end);
  // The last whole word is named, where words are parted by spaces.
  const isInWord = /\S/.test(text[end] ?? "") && /\S$/.test(seen) && /\s/.test(seen);
  return (isInWord ? seen.replace(/\S+$/, "") : seen).trimEnd().split(/\s+/).pop().slice(-16) || null;
}
