const { emoji } = await import("/js/content/emoji-list.js");
const { foundEmoji } = await import("/js/content/emoji-picker.js");
const { recentEmoji, rememberEmoji } = await import("/js/content/recent-emoji.js");
const ids = (found) => found.map(({ id }) => id);

return {
  "each emoji is there once, is one sign, and has names in both languages": () =>
    equal(
      emoji.filter(({ id, en, zh }) =>
        emoji.filter((each) => each.id === id).length > 1 || [...new Intl.Segmenter().segment(id)].length !== 1 ||
        !/\p{Extended_Pictographic}|\p{Emoji_Presentation}/u.test(id) || !en?.[0] || !/^\p{Script=Han}+$/u.test(zh?.[0])
      ),
      [],
    ),
  "emoji are found by their names in both languages": () =>
    equal([ids(foundEmoji("PARCEL")), ids(foundEmoji("快递")), foundEmoji("zzz").length], [["📦"], ["📦"], 0]),
  "those used last come first, the last one at the beginning": () => {
    localStorage.removeItem("belfry.emoji");
    ["📦", "🎁", "📦"].forEach(rememberEmoji);
    equal([recentEmoji(), ids(foundEmoji("", recentEmoji())).slice(0, 3)], [["📦", "🎁"], ["📦", "🎁", "🎉"]]);
    localStorage.removeItem("belfry.emoji");
  },
  "what the browser keeps is no list: there are none": () => {
    localStorage.setItem("belfry.emoji", "{");
    equal(recentEmoji(), []);
    localStorage.removeItem("belfry.emoji");
  },
};
