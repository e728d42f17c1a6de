import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { accepts, keysOf, openReceiver, type Receiver } from '#testing/calls/receiver.ts';
import { sampleEvent } from '#testing/calls/sample-events.ts';
import { locationAt } from '#testing/gateway-store/store-location.ts';
import { howMany } from '#testing/how-many.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'testing', 'calls', 'main.ts');
const KILLS = howMany(3, 8);
const ALERTS = 1_000_000;

interface Run {
  /** Resolves with the last alert that the process said to be in the store. */
  readonly ended: Promise<number>;
  readonly kill: () => void;
  /** Resolves when it says the next time that an alert is in the store. */
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

async function recordedCalls(dataDir: string): Promise<ReadonlySet<string>> {
  const store = await locationAt({ dataDir, databaseUrl: null }).open();
  const rows = await store.query("SELECT id FROM desk_call WHERE state = 'delivered'");
  await store.close();
  return new Set(rows.map(([id]) => String(id)));
}

/** Kills it at some moment of its n-th call: before the receiver responds, just after, or while it stores something. */
async function killDuring(receiver: Receiver, run: Run, n: number): Promise<void> {
  let count = 0;
  await new Promise<void>((resolve) => {
    receiver.replies((response, request, call) => {
      count += 1;
      if (count < n) {
        accepts(response, request, call);
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
      expect(receiver.calls.slice(received).filter(({ id }) => recorded.has(id))).toEqual([]);
      received = receiver.calls.length;
    };
    for (let kill = 1; kill <= KILLS; kill++) {
      const run = deliver(dataDir, receiver.url, stored + 1, ALERTS);
      await killDuring(receiver, run, 1 + Math.floor(Math.random() * 20));
      stored = await run.ended;
      expectNoRepetition();
      recorded = await recordedCalls(dataDir);
    }
    receiver.replies(accepts);
    const last = stored + 50;
    expect(await deliver(dataDir, receiver.url, stored + 1, last).ended).toBe(last);
    expectNoRepetition();

    // By call: one id, one body, in order of the first attempt.
    const calls = new Map(receiver.calls.map((call) => [call.id, call]));
    expect(receiver.calls.filter(({ id, text, isSigned }) => !isSigned || text !== calls.get(id)?.text)).toEqual([]);
    const firsts = [...new Set(receiver.calls.map(({ id }) => id))].map((id) => calls.get(id) ?? expect.fail(id));
    expect(firsts.flatMap(keysOf)).toEqual(Array.from({ length: last }, (_, n) => sampleEvent(n + 1).key));
    console.log(
      `survived ${String(KILLS)} kills: ${String(last)} alerts in ${String(calls.size)} calls, of which ${String(receiver.calls.length - calls.size)} were repeated`,
    );
  },
);
