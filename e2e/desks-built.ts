import { trustBuiltApp } from '#testing/build-app.ts';

/** Playwright calls it before all tests, once the desks of the workers have started, which have built the app. */
export default trustBuiltApp;
