const { cleanID, keyIDOf, keyText } = await import("/js/setup/p8.js");
const bytes = (...values) => new Uint8Array(values);

return {
  "the key ID is in the name of Apple's file": () =>
    equal(
      [
        "AuthKey_ABC123DEFG.p8",
        "AuthKey_abc123defg (1).p8",
        "/home/me/AuthKey_ABC123DEFG.p8",
        "C:\\AuthKey_ABC123DEFG.p8",
        "AuthKey_ABC123DEFG.p8.txt",
        "key.p8",
      ].map(keyIDOf),
      [...Array(5).fill("ABC123DEFG"), null],
    ),
  "a pasted ID loses what is around it": () =>
    equal(
      [" abc123defg ", "\u200bABC123DEFG\u00a0", "AuthKey_ABC123DEFG.p8", "ABC-123-DEFG"].map(cleanID),
      Array(4).fill("ABC123DEFG"),
    ),
  "text is sent as it is, and other bytes as base64": () =>
    equal(
      [
        keyText(new TextEncoder().encode("-----BEGIN")),
        keyText(bytes(0x30, 0x81, 0xff)),
        keyText(bytes(0xff, 0xfe, 0x2d, 0)),
      ],
      ["-----BEGIN", "MIH/", "//4tAA=="],
    ),
};
