const { joining } = await import("/js/joining.js");
const asked = [];
/** Answers with pages of the API; the cursor is the number of the next one. */
const from = (...pages) => {
  asked.length = 0;
  return joining(async (_path, { cursor, limit }) => {
    asked.push(limit);
    const number = Number(cursor ?? 0);
    return {
      data: pages[number % pages.length].slice(0, limit),
      next_cursor: number + 1 < pages.length ? String(number + 1) : pages.length === 1 ? "0" : null,
    };
  });
};

return {
  "pages are joined until one is full": async () =>
    equal(await from([1], [], [2, 3], [4])("/x", { limit: 3 }), { data: [1, 2, 3], next_cursor: "3" }),
  "only what is missing is asked for": () => equal(asked, [3, 2, 2]),
  "the last page can be short": async () =>
    equal(await from([1], [2])("/x", { limit: 3 }), { data: [1, 2], next_cursor: null }),
  "a page begins where the one before ended": async () =>
    equal(await from([1], [], [2, 3], [4])("/x", { limit: 3, cursor: "3" }), { data: [4], next_cursor: null }),
  "nobody waits for more than ten answers": async () =>
    equal([await from([])("/x", { limit: 3 }), asked.length], [{ data: [], next_cursor: "0" }, 10]),
};
