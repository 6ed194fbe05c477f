const { namesOf } = await import("/js/audit/names.js");
const changed = (app, after) => ({
  resource: `/v1/apps/${app}/topics/news`,
  action: "topics.update",
  before: null,
  after,
});

return {
  "an app's topic is not called like another app's": async () => {
    const names = namesOf();
    await names.learn([changed("1", { name: "News" })], new AbortController().signal);
    equal(["1", "2"].map((app) => names.subjectOf(changed(app, null)).name), ["News", null]);
  },
};
