// An application of Angular, in its production build.

import { SPLIT, consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { project } from './harness/project.mjs';

const place = await project('angular', { smoke: 'src/smoke' });

consumer('Angular, page', async (t) => {
  await place.tool('@angular/cli', 'build');
  return inPage(t, place.path('dist/browser'));
}, { engines: SPLIT });
