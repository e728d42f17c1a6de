import { expect, it, onTestFinished } from 'vitest';
import type { DeskNotifications } from '#contract/desk/notifications.ts';
import { accepts, keysOf } from '#testing/notifications/receiver.ts';
import {
  EACH_ACCOUNT,
  readHistory,
  startNotifiedDesk,
  untilFiring,
  type NotifiedDesk,
} from '#testing/rules/notified-desk.ts';

let desk: NotifiedDesk;

type Moment = 'once it is in the store' | 'before the webhook is answered' | 'as it is answered' | 'once it is mailed';

const MOMENTS: readonly Moment[] = [
  'once it is in the store',
  'before the webhook is answered',
  'as it is answered',
  'once it is mailed',
];

/** Returns a function that waits for the moment at which to kill the server. */
async function prepareMoment(moment: Moment): Promise<() => Promise<unknown>> {
  const [known, mailed] = [(await readHistory(desk)).length, desk.mail.mails.length];
  if (moment === 'once it is in the store')
    return () =>
      expect
        .poll(async () => (await readHistory(desk)).length, { timeout: 60_000, interval: 20 })
        .toBeGreaterThan(known);
  if (moment === 'once it is mailed')
    return () => expect.poll(() => desk.mail.mails.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(mailed);
  const called = new Promise<void>((resolve) => {
    desk.receiver.replies((response) => {
      if (moment === 'as it is answered') response.writeHead(204).end();
      resolve();
    });
  });
  return () => called;
}

/** Returns the key of each change of an alert in the store. */
async function expectedKeys(): Promise<readonly string[]> {
  return (await readHistory(desk))
    .map(({ rule_id: id, group: subject, state, started_at: at }) =>
      JSON.stringify([id, subject, Date.parse(at ?? ''), state]),
    )
    .toSorted();
}

/** Returns each key with the notifications that contained it. */
function notificationsByKey(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const notification of desk.receiver.notifications)
    for (const key of keysOf(notification)) found.set(key, (found.get(key) ?? new Set()).add(notification.id));
  return found;
}

function mailIds(): readonly string[] {
  return desk.mail.mails.map(({ source }) => /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? '');
}

async function untilNothingWaits(): Promise<void> {
  await expect
    .poll(async () => (await desk.read<DeskNotifications>('calls')).channels.map(({ waiting }) => waiting), {
      timeout: 90_000,
    })
    .toEqual([0, 0]);
}

it('a desk that is killed at any moment loses no alert, and calls none twice', { timeout: 400_000 }, async () => {
  desk = await startNotifiedDesk();
  onTestFinished(desk.stop);
  await desk.act('putRule', { rule: EACH_ACCOUNT, before: null });
  // Each moment is tested when alerts fire and when they resolve, with different accounts, because alerts that come and
  // go are damped.
  const turns = MOMENTS.flatMap((moment, place) => [
    { moment, shown: desk.accounts.slice(2 * place, 2 * place + 2) },
    { moment, shown: [] },
  ]);
  for (const { moment, shown } of turns) {
    const untilMoment = await prepareMoment(moment);
    desk.show(shown);
    await untilMoment();
    await desk.killAndRestart();
    desk.receiver.replies(accepts);
    await untilFiring(desk, shown);
    await untilNothingWaits();
  }
  const found = notificationsByKey();
  expect([...found.keys()].toSorted()).toEqual(await expectedKeys());
  expect(found.size).toBe(2 * turns.length);
  // A repeated notification has the same ID, so the receiver drops it.
  expect([...found.values()].filter((ids) => ids.size > 1)).toEqual([]);
  const sent = new Map(desk.receiver.notifications.map(({ id, text }) => [id, text]));
  expect(desk.receiver.notifications.filter(({ id, text, isSigned }) => !isSigned || text !== sent.get(id))).toEqual(
    [],
  );
  // Collects the incidents of each mail: each one fires and resolves.
  const mails = new Map(mailIds().map((id, place) => [id, desk.mail.mails[place]?.source ?? '']));
  const incidents = [...mails.values()].flatMap(
    (source) => (/^references:((?:.|\r\n[ \t])*)/im.exec(source)?.[1] ?? '').match(/<[^>]+>/g) ?? [],
  );
  expect(new Set([...Map.groupBy(incidents, (one) => one).values()].map(({ length }) => length))).toEqual(new Set([2]));
  expect(incidents).toHaveLength(2 * turns.length);
  console.log(
    `survived ${String(turns.length)} kills: ${String(found.size)} alerts in ${String(sent.size)} webhooks, of which ${String(desk.receiver.notifications.length - sent.size)} were sent again, and in ${String(mails.size)} mails, of which ${String(desk.mail.mails.length - mails.size)} were`,
  );
});
