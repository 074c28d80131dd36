// Reports download progress: `onDownloadProgress`.

import type { CallState } from './call-state.js';

import { provided } from './provided.js';

/** Tells of a chunk; without one of the headers. */
export function reportProgress(call: CallState, response: Response, chunk?: Uint8Array<ArrayBuffer>): void {
  const { onDownloadProgress: onProgress } = call.config_;
  if (!onProgress || !call.info_) return;
  if (chunk) call.received_ += chunk.byteLength;
  const transferredBytes = call.received_;
  const totalBytes = provided.lengthOf_(response) || 0;
  provided.observe_(onProgress, { percent: totalBytes && Math.min(1, transferredBytes / totalBytes), transferredBytes, totalBytes }, chunk);
}
