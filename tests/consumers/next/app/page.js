'use client';

import { useEffect } from 'react';

import { smoke } from '../smoke/smoke.mjs';

export default function Page() {
  useEffect(() => {
    smoke(location.search).catch(String).then((report) => {
      globalThis.result = report;
    });
  }, []);
  return null;
}
