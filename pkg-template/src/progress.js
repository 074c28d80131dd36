// Download progress: `onDownloadProgress`.

import { lengthOf } from './head.js';
import { observe } from './observers.js';

/** Tells of a chunk; without one of the headers. */
export function tellProgress(call, response, chunk) {
  const { onDownloadProgress: onProgress } = call.config_;
  if (!onProgress || !call.info_) return;
  if (chunk) call.received_ += chunk.byteLength;
  const transferredBytes = call.received_;
  const totalBytes = lengthOf(response) || 0;
  observe(onProgress, { percent: totalBytes && Math.min(1, transferredBytes / totalBytes), transferredBytes, totalBytes }, chunk);
}
