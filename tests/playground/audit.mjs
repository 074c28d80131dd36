// What an accessibility checker would look for, computed in the page. Each gives back the offenders, in words.

const describe = `(element) => {
  const text = (element.textContent ?? '').trim().replace(/\\s+/g, ' ').slice(0, 40);
  return element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') + (element.className ? '.' + element.className : '') + (text ? ' "' + text + '"' : '');
}`;
const shown = '(element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })';

/** Runs `body` in the page with the helpers above. */
function inPage(page, body, argument) {
  return page.evaluate(`((argument) => {
    const describe = ${describe};
    const shown = ${shown};
    ${body}
  })(${JSON.stringify(argument)})`);
}

/** Controls, regions and pictures without a name. */
export function nameless(page) {
  return inPage(page, `
    const labelled = (element) => (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent.trim() ?? '').join(' ');
    const nameOf = (element) => labelled(element) || element.getAttribute('aria-label')
      || [...(element.labels ?? [])].map((label) => label.textContent.trim()).join(' ')
      || (element.matches('a, button, summary, h1, h2, h3, th') ? element.textContent.trim() : '');
    const named = 'a, button, summary, input, select, textarea, progress, nav, [role="region"], [role="radiogroup"], [tabindex="0"], main section, h1, h2, h3';
    return [...document.querySelectorAll(named)].filter(shown).filter((element) => !nameOf(element)).map(describe)
      .concat([...document.images].filter((image) => !image.hasAttribute('alt')).map(describe));
  `);
}

/** References to what is not there, ids that are not unique, and an order of focus that is not the order of the page. */
export function broken(page) {
  return inPage(page, `
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'twice: ' + id);
    const references = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls'].flatMap((name) => [...document.querySelectorAll('[' + name + ']')]
      .flatMap((element) => element.getAttribute(name).split(' ')).filter((id) => !document.getElementById(id)).map((id) => name + ': ' + id));
    const forced = [...document.querySelectorAll('[tabindex]')].filter((element) => element.tabIndex > 0).map(describe);
    return [...twice, ...references, ...forced];
  `);
}

/** Headings that skip a level, and more or less than one of the first. */
export function headings(page) {
  return inPage(page, `
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(shown);
    const skipped = levels.filter((heading, index) => index > 0 && Number(heading.tagName[1]) > Number(levels[index - 1].tagName[1]) + 1).map(describe);
    const firsts = levels.filter(({ tagName }) => tagName === 'H1');
    return firsts.length === 1 ? skipped : [...skipped, firsts.length + ' h1'];
  `);
}

/** Texts whose contrast with what is behind them is below 4.5 (3 for large ones). */
export function faint(page) {
  return inPage(page, `
    const parse = (color) => {
      const numbers = color.match(/[\\d.]+/g).map(Number);
      return { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
    };
    const over = (front, back, alpha) => front.map((value, index) => value * alpha + back[index] * (1 - alpha));
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      if (!element) return [255, 255, 255];
      const { rgb, alpha } = parse(getComputedStyle(element).backgroundColor);
      return alpha === 1 ? rgb : over(rgb, behind(element.parentElement), alpha);
    };
    const opacity = (element) => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
    const ratioOf = (front, back) => {
      const [high, low] = [luminance(front), luminance(back)].sort((one, other) => other - one);
      return (high + 0.05) / (low + 0.05);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Map();
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      // What cannot be used has no contrast to keep.
      if (!texts.currentNode.data.trim() || !shown(element) || element.closest('.unseen, .skip, :disabled, [aria-disabled="true"], script, noscript, option')) continue;
      const back = behind(element);
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const { rgb, alpha } = parse(color);
      const ratio = ratioOf(over(rgb, back, alpha * opacity(element)), back);
      const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.set(describe(element), ratio.toFixed(2) + ': ' + describe(element));
    }
    // Segments are too narrow for their words more often than not.
    for (const segment of document.querySelectorAll('.legend .segment')) {
      const ratio = ratioOf(parse(getComputedStyle(segment).color).rgb, behind(segment));
      if (ratio < 4.5) found.set(segment, ratio.toFixed(2) + ': segment ' + segment.dataset.kind);
    }
    return [...found.values()];
  `);
}

/** What is wider than the window, or stands out of it, and is not inside of something that scrolls. */
export function wide(page) {
  return inPage(page, `
    const scrolls = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const width = document.documentElement.clientWidth;
    return [...document.querySelectorAll('body *')].filter(shown).filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 1 && (right > width + 0.5 || left < -0.5) && !scrolls(element.parentElement);
    }).map(describe);
  `);
}

/** Targets that are less than 44 px wide or high. The label of a checkbox is a part of it; so are links within a sentence. */
export function small(page) {
  return inPage(page, `
    const target = (element) => element.closest('label') ?? element;
    return [...document.querySelectorAll('a, button, summary, input, select, textarea')].filter(shown)
      .filter((element) => !element.closest('.skip, p'))
      .map(target).filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width < 43.5 || height < 43.5;
      }).map((element) => describe(element) + ' ' + Math.round(element.getBoundingClientRect().width) + ' x ' + Math.round(element.getBoundingClientRect().height));
  `);
}
