const { RecordSplitter } = await import("/js/import/records.js");
const { refusedLines } = await import("/js/import/refused.js");

/** The records of a text, read as a whole and character by character. */
const read = (text, kind = "csv", separator = ",") => {
  const [whole, parts] = [new RecordSplitter(kind, separator), new RecordSplitter(kind, separator)];
  const one = [...whole.feed(text), ...whole.finish()];
  equal([...[...text].flatMap((character) => parts.feed(character)), ...parts.finish()], one);
  return one.map(({ line, text: record }) => [line, record]);
};
const failure = (line) => ({ line, problems: [{ path: "token", message: "is wrong" }] });
const facts = (separator, encoding = "utf-8") => ({ separator, encoding });

return {
  "records end with any line end, and blank lines count": () =>
    equal(read("a\r\n\r\nb\rc\nd"), [[1, "a"], [3, "b"], [4, "c"], [5, "d"]]),
  "line ends in quotes belong to the record": () => equal(read('"a\nb",c\nd'), [[1, '"a\nb",c'], [3, "d"]]),
  "a field begins after the separator, and spaces": () => {
    equal(read('x; "a\nb"\ny', "csv", ";"), [[1, 'x; "a\nb"'], [3, "y"]]);
    equal(read('x,5" wide\ny'), [[1, 'x,5" wide'], [2, "y"]]);
  },
  "lines of objects end at line ends": () => equal(read('{"a":"\\""}\n{}', "ndjson"), [[1, '{"a":"\\""}'], [2, "{}"]]),
  "refused lines keep the separator, and their reasons are quoted": async () => {
    const file = new Blob(["sep=;\r\ntoken;ort\r\nx;Bern\r\ny;Köln\r\n"]);
    const problems = [{ path: "token", message: "is; wrong" }];
    equal(
      await refusedLines(file, "csv", [{ line: 4, problems }], facts(";")),
      'line;reason;token;ort\r\n4;"token is; wrong";y;Köln\r\n',
    );
  },
  "refused lines are read in the encoding of the file": async () => {
    const file = new Blob([new Uint8Array([0x61, 0x0A, 0xFC, 0x0A])]);
    equal(
      await refusedLines(file, "csv", [failure(2)], facts(",", "windows-1252")),
      "line,reason,a\r\n2,token is wrong,ü\r\n",
    );
  },
};
