const { buttonsOf, newButton, retitled, shownCategory, withButtons } = await import("/js/content/buttons.js");
const { followers, withChange } = await import("/js/content/shared-parts.js");
const { ownKeys } = await import("/js/content/payload.js");

const payload = { aps: { alert: "Tonight", category: "CONCERT" }, link: "bells://" };
const remind = { id: "remind-me", title: "Remind me" };
const later = { id: "later", title: "Later", link: "bells://later" };

return {
  "buttons take the place of a category, and their extension runs": () =>
    equal(withButtons(payload, [remind]), {
      aps: { alert: "Tonight", "mutable-content": 1 },
      link: "bells://",
      "belfry-buttons": [remind],
    }),
  "without buttons nothing of them is left": () => {
    const without = withButtons(withButtons(payload, [remind]), []);
    equal([without["belfry-buttons"], buttonsOf(without)], [undefined, []]);
  },
  "an ID follows the title until somebody has chosen another": () => {
    const button = newButton([]);
    const typed = retitled(button, "Remind me!", []);
    equal([button.id, typed.id, retitled(typed, "Remind us", []).id], ["button-1", "remind-me", "remind-us"]);
    equal(retitled({ id: "r1", title: "Remind me" }, "Later", []).id, "r1");
  },
  "an ID that another button has, or that has no letters, is not taken": () =>
    equal(
      [retitled(newButton([remind]), "Remind me", [remind]).id, retitled(newButton([]), "提醒我", []).id],
      ["button-1", "button-1"],
    ),
  "buttons are no custom key": () => equal(ownKeys(withButtons(payload, [remind])).map(([name]) => name), ["link"]),
  "another language keeps its titles when a button comes or changes": () => {
    const before = withButtons({ aps: { alert: "Hi" } }, [remind]);
    const zh = withButtons({ aps: { alert: "你好" } }, [{ ...remind, title: "提醒我" }]);
    const after = withButtons(before, [{ ...remind, link: "bells://remind" }, later]);
    const content = { payload: before, variants: { zh } };
    equal(withChange(content, null, before, after).variants.zh["belfry-buttons"], [
      { ...remind, title: "提醒我", link: "bells://remind" },
      later,
    ]);
    equal(followers(content, null, before, after), ["zh"]);
  },
  "a title is the text of its language alone": () => {
    const before = withButtons({ aps: { alert: "Hi" } }, [{ id: "r", title: "Remind me" }]);
    const zh = withButtons({ aps: { alert: "你好" } }, [{ id: "r", title: "提醒我" }]);
    const after = withButtons(before, [{ id: "r", title: "Remind me, please" }]);
    const content = { payload: before, variants: { zh } };
    equal([withChange(content, null, before, after).variants.zh, followers(content, null, before, after)], [zh, []]);
  },
  "a title that is not translated yet follows while it is typed": () => {
    const before = withButtons({ aps: { alert: "Hi" } }, [{ id: "button-1", title: "N" }, later]);
    const zh = withButtons({ aps: { alert: "你好" } }, [{ id: "button-1", title: "N" }, { ...later, title: "以后" }]);
    const after = withButtons(before, [{ id: "button-1", title: "No" }, later]);
    const content = { payload: before, variants: { zh } };
    equal(withChange(content, null, before, after).variants.zh["belfry-buttons"], [
      { id: "button-1", title: "No" },
      { ...later, title: "以后" },
    ]);
  },
  "the phone of the preview shows typed buttons, else the category": () => {
    const categories = [{ identifier: "CONCERT", actions: [] }];
    equal(shownCategory(payload, categories), categories[0]);
    equal(
      shownCategory(withButtons(payload, [{ ...later, destructive: true }]), categories, (text) => text.toUpperCase())
        .actions,
      [{ identifier: "later", title: { default: "LATER" }, options: ["destructive"] }],
    );
    equal(shownCategory({ aps: {} }, categories), null);
  },
};
