// Light or dark: as the system says, until the button is used.

const KEY = 'steadfetch-playground-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return null;
  }
}

function store(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}

export function themeButton(button) {
  let chosen = stored();
  const show = () => {
    const dark = chosen ? chosen === 'dark' : system.matches;
    if (chosen) document.documentElement.dataset.theme = chosen;
    button.textContent = dark ? 'Light' : 'Dark';
    button.setAttribute('aria-label', dark ? 'Use light colours' : 'Use dark colours');
  };
  button.addEventListener('click', () => {
    const dark = chosen ? chosen === 'dark' : system.matches;
    chosen = dark ? 'light' : 'dark';
    store(chosen);
    show();
  });
  system.addEventListener('change', show);
  show();
}
