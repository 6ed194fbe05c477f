// The emoji that were used last in this browser, the last one first.

const item = "belfry.emoji";
/** Two lines of the picker. */
const most = 16;

export function recentEmoji() {
  try {
    const kept = JSON.parse(localStorage.getItem(item) ?? "[]");
    return Array.isArray(kept) ? kept.slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberEmoji(id) {
  const next = [id, ...recentEmoji().filter((each) => each !== id)].slice(0, most);
  localStorage.setItem(item, JSON.stringify(next));
}
