import { trustBuiltApp } from '#testing/build-app.ts';

/** Playwright calls this before all tests, once the servers of the workers have started, which have built the app. */
export default trustBuiltApp;
