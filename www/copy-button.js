// A button that copies text, and says so.

export function copyButton(button, text) {
  const label = button.textContent;
  let timer;
  button.addEventListener('click', async () => {
    let said = 'Copied';
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      said = 'Not allowed';
    }
    button.textContent = said;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}
