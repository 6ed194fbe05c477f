// Mithril (https://mithril.js.org), which is loaded as a plain script: hyperscript, components, and drawing what changed.
const { m } = window;
export default m;
