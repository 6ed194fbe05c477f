// Runs before the page is drawn, so that a chosen theme does not flash.
const theme = localStorage.getItem("belfry.theme");
if (theme) document.documentElement.dataset.theme = theme;
