import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

const SMALL_VENUE = ['--history-days', '40', '--orders', '200', '--working', '50'];

interface OwnDesk extends StartedDesk {
  /** Kills the process by SIGKILL. */
  readonly killVenue: () => Promise<void>;
  /** Starts the same exchange again, at the same address. */
  readonly reviveVenue: () => Promise<void>;
}

/** Each test has an exchange and a server of its own, each in a process that it may kill. */
export const test = watched.extend<{ readonly desk: OwnDesk }>({
  desk: async ({}, use) => {
    const desk = await startDesk({ venue: SMALL_VENUE });
    const revived: { stop: () => Promise<unknown> }[] = [];
    await use({
      ...desk,
      killVenue: desk.venue.kill,
      reviveVenue: async () => {
        const port = new URL(desk.venue.address).port;
        revived.push(await startVenue([...SMALL_VENUE, '--port', port]));
      },
    });
    for (const venue of revived) await venue.stop();
    await desk.stop();
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.server.address);
  },
});
