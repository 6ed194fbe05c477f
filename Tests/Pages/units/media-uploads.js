const { loadTexts } = await import("/js/i18n.js");
const { session } = await import("/js/session.js");
const { upload, uploadsOfApp } = await import("/js/media/uploads.js");
await loadTexts("media");

return {
  "the list of uploads ends with the session": () => {
    upload([{ name: "film.mp4", type: "video/mp4", size: 1e9 }]);
    equal(uploadsOfApp().map(({ state }) => state), ["failed"]);
    session.clear();
    equal(uploadsOfApp(), []);
  },
};
