// Pages of the API that are joined to one page of a list: an answer may have fewer entries than asked for, or none, and
// not be the last.

/** Answers that are joined to one page at most. */
const answers = 10;

/** A `get` for `pagedList` that asks until the page is full. `get` fetches each answer; it is called like `api.get`. */
export const joining = (get) => async (path, values, options) => {
  const data = [];
  let { cursor } = values;
  for (let count = 0; count < answers; count++) {
    const answer = await get(path, { ...values, cursor, limit: values.limit - data.length }, options);
    data.push(...answer.data);
    cursor = answer.next_cursor;
    if (!cursor || data.length >= values.limit) break;
  }
  return { data, next_cursor: cursor ?? null };
};
