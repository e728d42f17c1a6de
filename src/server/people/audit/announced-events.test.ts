import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createAnnouncedEvents } from './announced-events.ts';
import type { AuditEvent } from './audit-store.ts';

function open() {
  const clock = createFakeClock();
  const lines: unknown[] = [];
  const announced = createAnnouncedEvents({
    schedule: clock.schedule,
    log: (level, event, fields) => void lines.push([level, event, fields]),
  });
  return { clock, announced, taken: () => lines.splice(0) };
}

const refused = (address: string, detail = 'The password was wrong.'): AuditEvent => ({
  kind: 'sign-in refused',
  who: '',
  name: 'Ann',
  address,
  detail,
});

test('refused sign-ins and requests are log lines with name, address and reason; what is allowed is none', () => {
  const { announced, taken } = open();
  announced.note(refused('192.0.2.7'));
  announced.note({
    kind: 'request refused',
    who: 'x',
    name: 'Bob',
    address: '192.0.2.8',
    detail: 'GET /api/desk/audit',
  });
  announced.note({ kind: 'orders read', who: 'x', name: 'Bob', address: '192.0.2.8', detail: 'orders' });
  expect(taken()).toEqual([
    ['warn', 'sign-in refused', { name: 'Ann', address: '192.0.2.7', reason: 'The password was wrong.' }],
    ['warn', 'request refused', { name: 'Bob', address: '192.0.2.8', reason: 'GET /api/desk/audit' }],
  ]);
});

test('a flood is ten lines a minute of each kind, and one that counts the rest', async () => {
  const { clock, announced, taken } = open();
  for (let each = 0; each < 1_000; each++) announced.note(refused(`192.0.2.${String(each % 256)}`));
  expect(taken()).toHaveLength(10);
  await clock.advance(60_000);
  expect(taken()).toEqual([['warn', 'sign-in refused', { more: 990, addresses: 256, reason: 'within a minute' }]]);
  announced.note(refused('192.0.2.9'));
  await clock.advance(60_000);
  expect([taken().length, clock.timers()]).toEqual([1, 0]);
  for (let each = 0; each < 11; each++) announced.note(refused('192.0.2.9'));
  announced.close();
  expect([taken().length, clock.timers()]).toEqual([11, 0]);
});

test('sign-ins are counted by outcome', () => {
  const { announced } = open();
  expect(announced.signIns()).toEqual({ succeeded: 0, refused: 0, locked_out: 0 });
  announced.note({ ...refused(''), kind: 'sign-in', detail: 'Signed in with a password.' });
  announced.note(refused(''));
  announced.note(refused(''));
  announced.note({ ...refused(''), isLockedOut: true });
  expect(announced.signIns()).toEqual({ succeeded: 1, refused: 2, locked_out: 1 });
});
