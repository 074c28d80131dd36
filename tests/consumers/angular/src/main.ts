// The application with zone.js, as most are: it replaces Promise, and patches fetch.

import { Component } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

import { smoke } from './smoke/smoke.mjs';

@Component({ selector: 'app-root', template: '' })
class App {
  constructor() {
    const report = (result: unknown) => Object.assign(globalThis, { result });
    smoke(location.search).then(report, (error: unknown) => report(String(error)));
  }
}

bootstrapApplication(App);
