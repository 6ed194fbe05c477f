// Mithril (https://mithril.js.org), which is loaded as a plain script: hyperscript, components, and drawing what changed.

const { m } = window;
if (!m) document.body.textContent = "Public/vendor/mithril.js is missing. Run Scripts/vendor on the server, and load this page again.";

export default m;
