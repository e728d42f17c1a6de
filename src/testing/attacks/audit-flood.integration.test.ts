import { expect, it, onTestFinished } from 'vitest';
import type { DeskAudit } from '#contract/desk/access.ts';
import { startPeopleDesk } from '../access/people-desk.ts';
import { sendRequest } from '../http-client.ts';

/** More entries than are collected before they are stored. */
const ADDRESSES = 2_500;
const AT_ONCE = 50;

it(
  'a network with more addresses than the audit log has entries does not push out what others did',
  { timeout: 240_000 },
  async () => {
    const room = await startPeopleDesk({ DESK_TRUSTED_PROXY: '127.0.0.1' });
    onTestFinished(() => room.stop());
    const admin = await room.join('ada', '--role', 'admin', '--all-orders');
    const guess = async (index: number): Promise<number | undefined> =>
      (
        await sendRequest(room.desk.address, {
          path: '/api/desk/working',
          headers: { 'authorization': 'Bearer a-guess', 'x-forwarded-for': `2001:db8::${index.toString(16)}` },
        })
      ).status;
    for (let sent = 0; sent < ADDRESSES; sent += AT_ONCE) {
      expect(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => guess(sent + index)))).toEqual(
        Array.from({ length: AT_ONCE }, () => 401),
      );
    }
    const { entries } = (await admin.get('/api/desk/audit?kind=request+refused&limit=1000'))
      .body as unknown as DeskAudit;
    expect(entries.length).toBeLessThan(10);
  },
);

it(
  'a person whose every change is recorded can make so many and no more, and still read',
  { timeout: 240_000 },
  async () => {
    const room = await startPeopleDesk();
    onTestFinished(() => room.stop());
    const person = await room.join('eve', '--role', 'markets');
    const change = async (): Promise<number> => (await person.act('endToken', null, { id: 'unknown' })).status;
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < ADDRESSES)
      statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, change))));
    expect(statuses.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(900);
    expect(statuses).toContain(429);
    expect((await person.get('/api/desk/me')).status).toBe(200);
  },
);
