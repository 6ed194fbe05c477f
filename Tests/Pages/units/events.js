const { EventParser, follow } = await import("/js/events.js");

/** A response that sends these pieces, and then nothing until it is given up. */
function silentAfter(pieces, signal, given) {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      signal.addEventListener("abort", () => {
        given.up += 1;
        controller.error(new Error("given up"));
      });
    },
  });
  return { body };
}

return {
  "events are read from pieces of any size": () => {
    const parser = new EventParser();
    const events = ["event: progress\nda", "ta: 1\n", "\ndata: 2\r\n\r", "\n: a comment\n\n"].flatMap((piece) =>
      parser.feed(piece)
    );
    equal(events, [{ type: "progress", data: "1" }, { type: "message", data: "2" }]);
  },
  "a silent connection is given up and opened again": async () => {
    const given = { up: 0 };
    const events = [];
    let opened = 0;
    const open = async (signal) =>
      silentAfter([`event: ${opened++ ? "end" : "progress"}\ndata: {}\n\n`], signal, given);
    await follow(open, {
      signal: new AbortController().signal,
      silence: 50,
      onAway() {},
      onEvent: ({ type }) => events.push(type),
    });
    equal([events, opened], [["progress", "end"], 2]);
    equal(given.up, 2);
  },
};
