// Every page for those who use the keyboard, a screen reader, a phone, dark colours, or want less motion.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import * as audit from './audit.mjs';
import { includes, playground } from './harness.mjs';

let site;
before(async () => {
  site = await playground();
});
after(() => site?.close());

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** Each page as it is when it has something to show. */
const PAGES = {
  'the gallery': async (t, options) => {
    const visitor = await site.openGallery(t, { fragment: '#bodies-replay/json', ...options });
    await visitor.run();
    return visitor.page;
  },
  'the gallery with a failure': async (t, options) => {
    const visitor = await site.openGallery(t, { fragment: '#C01', ...options });
    await visitor.run();
    return visitor.page;
  },
  'the gallery after a tour': async (t, options) => {
    const visitor = await site.openGallery(t, options);
    await visitor.press('Run all');
    await visitor.page.waitForFunction(() => document.getElementById('progress-bar').value >= 2);
    await visitor.page.locator('#all').click();
    await visitor.done();
    return visitor.page;
  },
  'the workbench': async (t, options) => {
    const visitor = await site.openWorkbench(t, options);
    await visitor.send();
    await visitor.done();
    return visitor.page;
  },
  'the workbench with 20 calls': async (t, options) => {
    const visitor = await site.openWorkbench(t, options);
    await visitor.own();
    await visitor.page.getByLabel('delay', { exact: true }).evaluate((input) => {
      input.value = '20';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await visitor.send('Send 20 in parallel');
    await visitor.done();
    return visitor.page;
  },
  'the page about protection': async (t, options) => {
    const visitor = await site.openProtection(t, options);
    await visitor.page.locator('#rate').selectOption('20 calls/s');
    await visitor.page.locator('#down').check();
    await visitor.press('Start the load');
    await visitor.page.locator('[data-gauge="circuit"][data-value="open"]').waitFor();
    await visitor.press('Stop');
    return visitor.page;
  },
  'the page about the session': async (t, options) => {
    const visitor = await site.openSession(t, options);
    await visitor.page.locator('#lock').uncheck();
    await visitor.press('Expire the token');
    await visitor.done();
    return visitor.page;
  },
};

/** Everything that can be opened is open. */
const unfold = (page) => page.evaluate(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});

for (const [name, open] of Object.entries(PAGES)) {
  test(`${name} fits a phone, has names and an order, and can be read in light and dark`, async (t) => {
    const page = await open(t, PHONE);
    await unfold(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.viewport.width);
    assert.deepEqual(await audit.wide(page), []);
    assert.deepEqual(await audit.small(page), []);
    await page.setViewportSize({ width: 1280, height: 900 });
    assert.deepEqual(await audit.nameless(page), []);
    assert.deepEqual(await audit.broken(page), []);
    assert.deepEqual(await audit.headings(page), []);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await audit.faint(page), [], colorScheme);
    }
  });
}

const ORDERS = {
  openGallery: ['Skip to the case', 'Failures', 'Workbench', 'Protection', 'Session', 'theme', 'previous', 'run', 'next', 'all'],
  openWorkbench: ['Skip to Send', 'Failures', 'Workbench', 'Protection', 'Session', 'theme', 'fault-mode', 'search'],
  openProtection: ['Skip to the controls', 'Failures', 'Workbench', 'Protection', 'Session', 'theme', 'load', 'down', 'rate', 'delay'],
  openSession: ['Skip to the controls', 'Failures', 'Workbench', 'Protection', 'Session', 'theme', 'expire', 'count', 'lock'],
};

for (const [open, order] of Object.entries(ORDERS)) {
  test(`${open}: the focus goes through the page in its order, is seen everywhere, and comes out of it`, async (t) => {
    const visitor = await site[open](t);
    const { page } = visitor;
    for (const expected of order) {
      await page.keyboard.press('Tab');
      assert.equal(await visitor.focused(), expected);
    }
    // Of a control that is drawn by its label, the label has the outline.
    const outlined = () => page.evaluate(() => [document.activeElement, document.activeElement.nextElementSibling, document.activeElement.closest('label')]
      .filter(Boolean).some((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      }));
    // In the order of the document, each only once: no trap, and nothing that cannot be left.
    const place = () => page.evaluate(() => [...document.querySelectorAll('*')].indexOf(document.activeElement));
    let before = await place();
    for (;;) {
      assert.ok(await outlined(), await visitor.focused());
      await page.keyboard.press('Tab');
      const now = await place();
      if (await visitor.focused() === 'body' || now < before) break;
      assert.ok(now > before, await visitor.focused());
      before = now;
    }
    await page.keyboard.press('Shift+Tab');
    assert.notEqual(await visitor.focused(), 'body');
  });
}

test('the skip link leads to the case and leaves the address alone', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#C02' });
  await visitor.page.keyboard.press('Tab');
  assert.ok(await visitor.page.locator('.skip').evaluate((link) => link.getBoundingClientRect().top >= 0));
  await visitor.page.keyboard.press('Enter');
  assert.equal(await visitor.focused(), 'case-title');
  assert.equal(visitor.fragment(), '#C02');
});

test('a case is chosen, run and left with the keyboard, and every result is announced', async (t) => {
  const visitor = await site.openGallery(t);
  const { page } = visitor;
  assert.equal(await visitor.status.getAttribute('aria-live'), 'polite');
  await page.keyboard.press('/');
  assert.equal(await visitor.focused(), 'search');
  // Keys that are typed are text.
  await page.keyboard.type('really closes');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'really closes');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No answer at all' }).waitFor();
  await page.keyboard.press('r');
  await visitor.page.getByRole('status').getByText('As expected. Failed with TIMEOUT').waitFor();
  await page.keyboard.press('n');
  includes(await visitor.status.textContent(), ': ');
  await page.keyboard.press('p');
  includes(await visitor.status.textContent(), 'No answer at all');
  await page.keyboard.press('Shift+?');
  assert.ok(await page.getByText('these keys').isVisible());
});

test('single keys can be turned off, and stay off', async (t) => {
  const visitor = await site.openGallery(t);
  const { page } = visitor;
  const title = await visitor.title.textContent();
  await page.locator('#shortcuts summary').click();
  await page.getByRole('checkbox', { name: 'Single keys are on' }).uncheck();
  await page.keyboard.press('n');
  assert.equal(await visitor.title.textContent(), title);
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  await page.keyboard.press('n');
  assert.equal(await visitor.title.textContent(), title);
});

test('a button that has nowhere to go keeps the focus', async (t) => {
  const visitor = await site.openGallery(t);
  await visitor.page.getByRole('button', { name: 'Previous' }).press('Enter');
  assert.equal(await visitor.focused(), 'previous');
});

test('on a phone a case that is chosen from the list takes the focus, and the list makes room', async (t) => {
  const visitor = await site.openGallery(t, PHONE);
  const { page } = visitor;
  await page.locator('#list summary').click();
  await visitor.cases.getByRole('link', { name: 'Nobody listens' }).click();
  await page.getByRole('heading', { name: 'Nobody listens' }).waitFor();
  assert.equal(await visitor.focused(), 'case-title');
  assert.equal(await page.locator('#list').evaluate((list) => list.open), false);
  assert.ok(await visitor.title.evaluate((title) => title.getBoundingClientRect().top < innerHeight));
});

test('who wants less motion sees none', async (t) => {
  const visitor = await site.openWorkbench(t, { reducedMotion: 'no-preference' });
  const moving = () => visitor.page.locator('body *').evaluateAll((elements) => elements
    .filter((element) => ['', '::before', '::after'].some((part) => {
      const { transitionDuration, animationName } = getComputedStyle(element, part);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none';
    })).map((element) => element.className || element.id || element.tagName));
  assert.notDeepEqual(await moving(), []);
  await visitor.page.emulateMedia({ reducedMotion: 'reduce' });
  assert.deepEqual(await moving(), []);
});

for (const page of ['openGallery', 'openWorkbench']) {
  test(`${page}: light and dark follow the system until the button is used, and the choice is kept`, async (t) => {
    const visitor = await site[page](t, { colorScheme: 'dark' });
    const lightness = () => visitor.page.evaluate(() => {
      const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
      return (red + green + blue) / 3;
    });
    assert.ok(await lightness() < 60);
    await visitor.page.emulateMedia({ colorScheme: 'light' });
    assert.ok(await lightness() > 200);
    await visitor.page.getByRole('button', { name: 'Use dark colours' }).click();
    assert.ok(await lightness() < 60);
    await visitor.page.reload();
    await visitor.page.locator('html[data-ready]').waitFor();
    assert.ok(await lightness() < 60);
  });
}
