/** "light" or "dark" for this browser; null follows the system. theme.js reads it before the page is drawn. */
export function chooseTheme(theme) {
  if (theme) {
    localStorage.setItem("belfry.theme", theme);
    document.documentElement.dataset.theme = theme;
  } else {
    localStorage.removeItem("belfry.theme");
    delete document.documentElement.dataset.theme;
  }
}
