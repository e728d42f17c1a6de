import { VENUE_ARGUMENTS } from '#testing/conformance/run-on.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import { startProcess } from '#testing/start-process.ts';
import { test as watched } from './watched-page.ts';

const SMALL = ['--history-days', '40', '--orders', '200', '--working', '50'];

interface OwnDesk extends StartedDesk {
  /** At once, as a power cut would. */
  readonly killVenue: () => Promise<void>;
  /** The same exchange again, at the same address. */
  readonly reviveVenue: () => Promise<void>;
}

/** Tests with an exchange and a desk of their own, a process each, that they may end. */
export const test = watched.extend<{ readonly desk: OwnDesk }>({
  desk: async ({}, use) => {
    const desk = await startDesk({ venue: SMALL });
    const revived: { stop: () => Promise<unknown> }[] = [];
    await use({
      ...desk,
      killVenue: desk.venue.kill,
      reviveVenue: async () => {
        const port = new URL(desk.venue.address).port;
        revived.push(await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', ':memory:', ...SMALL, '--port', port]));
      },
    });
    for (const venue of revived) await venue.stop();
    await desk.stop();
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.gateway.address);
  },
});

