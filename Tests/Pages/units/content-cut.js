const { lastVisibleWord } = await import("/js/content/cut.js");
function cut(text, style) {
  const box = document.createElement("div");
  box.textContent = text;
  Object.assign(box.style, {
    font: "15px/20px monospace",
    width: "22ch",
    position: "absolute",
    overflow: "hidden",
    ...style,
  });
  document.body.append(box);
  try {
    return lastVisibleWord(box);
  } finally {
    box.remove();
  }
}
const oneLine = { whiteSpace: "nowrap" };
const twoLines = { display: "-webkit-box", webkitBoxOrient: "vertical", webkitLineClamp: "2" };

return {
  "a text that can be seen whole is not cut": () =>
    equal([cut("Tonight", oneLine), cut("Tonight at eight", twoLines), cut("", oneLine)], [null, null, null]),
  "on one line it is cut after the last whole word that fits": () =>
    equal(cut("Tonight at eight the bells of the town will ring", oneLine), "the"),
  "on two lines it is cut on the second": () =>
    equal(
      ["old", "town"].includes(
        cut("Tonight at eight the bells of the old town will ring for everybody who comes", twoLines),
      ),
      true,
    ),
  "a long word without spaces is cut inside": () => equal(cut("月".repeat(60), oneLine)?.length > 3, true),
};
