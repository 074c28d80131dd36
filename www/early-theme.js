// Sets the theme that was chosen before anything is painted: a module would come too late. `theme.js` has the button.
try {
  const theme = localStorage.getItem('steadfetch-playground-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden.
}
