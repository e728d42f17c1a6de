import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { accepts, keysOf, openReceiver, type Receiver } from '#testing/notifications/receiver.ts';
import { sampleEvent } from '#testing/notifications/sample-events.ts';
import { locationAt } from '#testing/server-store/store-location.ts';
import { howMany } from '#testing/how-many.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'testing', 'notifications', 'main.ts');
const KILLS = howMany(3, 8);
const ALERTS = 1_000_000;

interface Run {
  /** Resolves to the last alert that the process reported as stored. */
  readonly ended: Promise<number>;
  readonly kill: () => void;
  /** Resolves at the next report that an alert is in the store. */
  readonly nextStored: () => Promise<unknown>;
}

function deliver(dataDir: string, url: string, first: number, last: number): Run {
  const child = spawn(process.execPath, [program, dataDir, url, String(first), String(last)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(() => {
    expect(errors).toBe('');
    const lines = output
      .slice(0, output.lastIndexOf('\n') + 1)
      .trim()
      .split('\n');
    return Number(lines.at(-1)) || first - 1;
  });
  return { ended, kill: () => child.kill('SIGKILL'), nextStored: () => once(child.stdout, 'data') };
}

async function recordedNotifications(dataDir: string): Promise<ReadonlySet<string>> {
  const store = await locationAt({ dataDir, databaseUrl: null }).open();
  const rows = await store.query("SELECT id FROM desk_call WHERE state = 'delivered'");
  await store.close();
  return new Set(rows.map(([id]) => String(id)));
}

/**
 * Kills the process during its n-th notification: before the receiver responds, just after, or while it stores
 * something.
 */
async function killDuring(receiver: Receiver, run: Run, n: number): Promise<void> {
  let count = 0;
  await new Promise<void>((resolve) => {
    receiver.replies((response, request, notification) => {
      count += 1;
      if (count < n) {
        accepts(response, request, notification);
        return;
      }
      const moment = Math.floor(3 * Math.random());
      response.once('close', () => {
        void (moment === 2 ? run.nextStored() : Promise.resolve()).then(() => {
          run.kill();
          resolve();
        });
      });
      if (moment === 0) run.kill();
      response.writeHead(204).end();
    });
  });
}

it(
  'a process that is killed while it delivers loses nothing, and repeats nothing that it had recorded',
  { timeout: 120_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-calls-'));
    onTestFinished(() => {
      rmSync(dataDir, { recursive: true, force: true });
    });
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    let [stored, received] = [0, 0];
    let recorded: ReadonlySet<string> = new Set();
    const expectNoRepetition = (): void => {
      expect(receiver.notifications.slice(received).filter(({ id }) => recorded.has(id))).toEqual([]);
      received = receiver.notifications.length;
    };
    for (let kill = 1; kill <= KILLS; kill++) {
      const run = deliver(dataDir, receiver.url, stored + 1, ALERTS);
      await killDuring(receiver, run, 1 + Math.floor(Math.random() * 20));
      stored = await run.ended;
      expectNoRepetition();
      recorded = await recordedNotifications(dataDir);
    }
    receiver.replies(accepts);
    const last = stored + 50;
    expect(await deliver(dataDir, receiver.url, stored + 1, last).ended).toBe(last);
    expectNoRepetition();

    // Each notification with its ID and body, in order of the first attempt.
    const notifications = new Map(receiver.notifications.map((notification) => [notification.id, notification]));
    expect(
      receiver.notifications.filter(({ id, text, isSigned }) => !isSigned || text !== notifications.get(id)?.text),
    ).toEqual([]);
    const firsts = [...new Set(receiver.notifications.map(({ id }) => id))].map(
      (id) => notifications.get(id) ?? expect.fail(id),
    );
    expect(firsts.flatMap(keysOf)).toEqual(Array.from({ length: last }, (_, n) => sampleEvent(n + 1).key));
    console.log(
      `survived ${String(KILLS)} kills: ${String(last)} alerts in ${String(notifications.size)} calls, of which ${String(receiver.notifications.length - notifications.size)} were repeated`,
    );
  },
);
