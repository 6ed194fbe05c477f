const { RecordSplitter } = await import("/js/import/records.js");
const { ObjectSplitter } = await import("/js/import/objects.js");
const { refusedLines } = await import("/js/import/refused.js");

/** The records of a text, read as a whole and character by character. */
const read = (text, make = () => new RecordSplitter(",")) => {
  const [whole, parts] = [make(), make()];
  const one = [...whole.feed(text), ...whole.finish()];
  equal([...[...text].flatMap((character) => parts.feed(character)), ...parts.finish()], one);
  return one.map(({ line, text: record }) => [line, record]);
};
const failure = (line) => ({ line, problems: [{ path: "token", message: "is wrong" }] });
const facts = (separator, encoding = "utf-8") => ({ format: "csv", compression: null, separator, encoding });
const objects = () => new ObjectSplitter();

return {
  "records end with any line end, and blank lines count": () =>
    equal(read("a\r\n\r\nb\rc\nd"), [[1, "a"], [3, "b"], [4, "c"], [5, "d"]]),
  "line ends in quotes belong to the record": () => equal(read('"a\nb",c\nd'), [[1, '"a\nb",c'], [3, "d"]]),
  "a field begins after the separator, and spaces": () => {
    equal(read('x; "a\nb"\ny', () => new RecordSplitter(";")), [[1, 'x; "a\nb"'], [3, "y"]]);
    equal(read('x,5" wide\ny'), [[1, 'x,5" wide'], [2, "y"]]);
  },
  "objects may go over lines, share one, and be damaged": () => {
    equal(read('{"a":"\\"}"}\r\n\n{}', objects), [[1, '{"a":"\\"}"}'], [3, "{}"]]);
    equal(read('[\n  {\n  "a":[{}]\n  }, {"b":1}\n]', objects), [[2, '{\n  "a":[{}]\n  }'], [4, '{"b":1}']]);
    equal(read('[{"a":1},{"b":2}]\n{"c":3}', objects), [[1, '{"a":1}'], [2, '{"b":2}'], [3, '{"c":3}']]);
    equal(read('{"a":"x\n{"b":{\n{"c":3}\nx', objects), [[1, '{"a":"x'], [2, '{"b":{'], [3, '{"c":3}'], [4, "x"]]);
  },
  "refused objects of a compressed file are found": async () => {
    const text = '[{"a":1},\n{"b":2}]';
    const file = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
    equal(
      await refusedLines(file, [failure(2)], {
        format: "ndjson",
        compression: "gzip",
        separator: null,
        encoding: "utf-8",
      }),
      '{"line":2,"reason":"token is wrong","record":{"b":2}}\n',
    );
  },
  "refused lines keep the separator, and their reasons are quoted": async () => {
    const file = new Blob(["sep=;\r\ntoken;ort\r\nx;Bern\r\ny;Köln\r\n"]);
    const problems = [{ path: "token", message: "is; wrong" }];
    equal(
      await refusedLines(file, [{ line: 4, problems }], facts(";")),
      'line;reason;token;ort\r\n4;"token is; wrong";y;Köln\r\n',
    );
  },
  "refused lines are read in the encoding of the file": async () => {
    const file = new Blob([new Uint8Array([0x61, 0x0A, 0xFC, 0x0A])]);
    equal(
      await refusedLines(file, [failure(2)], facts(",", "windows-1252")),
      "line,reason,a\r\n2,token is wrong,ü\r\n",
    );
  },
};
