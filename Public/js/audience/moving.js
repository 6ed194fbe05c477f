// The keys that move a condition: Alt with an arrow.

export const moveKeys = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };

/** The direction of a key press, or undefined. */
export function direction(event) {
  return event.altKey && !event.ctrlKey && !event.metaKey ? moveKeys[event.key] : undefined;
}
