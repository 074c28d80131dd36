// What the facade does by itself, with a fetch that is made up: no server is needed.

import './facade/events.mjs';
import './facade/traps.mjs';
import './facade/promises.mjs';
import './facade/responses.mjs';
import './facade/bodies.mjs';
import './facade/hooks.mjs';
import './facade/collected.mjs';
import './facade/options.mjs';
import './facade/requests.mjs';
import './facade/later-changes.mjs';
import './facade/accept.mjs';
import './facade/idempotency-key.mjs';
import './facade/outcome-lookup.mjs';
import './facade/dedupe.mjs';
import './facade/any-method.mjs';
import './facade/instances.mjs';
import './facade/leaving.mjs';
import './facade/auth-home.mjs';
import './facade/recipes.mjs';
import './facade/loading.mjs';
import './facade/telling.mjs';
import './facade/opentelemetry.mjs';
import './facade/vectors.mjs';
