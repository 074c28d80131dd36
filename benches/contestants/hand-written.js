import { request } from '../hand-written.js';

const text = (response) => response.text();

export const handWritten = {
  name: 'hand-written',
  make: (settings) => (url, controller) => request(url, { ...settings, signal: controller?.signal }, text),
};
