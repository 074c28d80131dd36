// Every case of cases/ in real pages of WebKitGTK. It has windows, so it needs a display: by hand `xvfb-run -a node --test ...`.

import { browserDriver } from './harness/browser.mjs';
import { webkitDriver } from './harness/places.mjs';
import { reusing } from './harness/reuse.mjs';
import { suite } from './harness/suite.mjs';
import { Session } from './harness/webdriver.mjs';

await suite('webkit', async () => {
  const session = await Session.open({
    binary: webkitDriver,
    capabilities: {
      acceptInsecureCerts: true,
      // The pages say themselves when they are done.
      pageLoadStrategy: 'none',
    },
  });
  return browserDriver(reusing(() => session.openWindow(), () => session.close()));
});
