import { expect, it, onTestFinished } from 'vitest';
import type { DeskAudit } from '#contract/desk-access.ts';
import { startPeopleDesk } from '#testing/access/people-desk.ts';
import { sendRequest } from '#testing/http-client.ts';

/** More than are gathered before they are stored. */
const ADDRESSES = 2_500;
const AT_ONCE = 50;

it('a network with more addresses than the audit log has entries does not push out what others did', { timeout: 240_000 }, async () => {
  const room = await startPeopleDesk({ DESK_TRUSTED_PROXY: '127.0.0.1' });
  onTestFinished(() => room.stop());
  const admin = await room.join('ada', '--role', 'admin', '--all-orders');
  const guess = async (index: number): Promise<number | undefined> =>
    (await sendRequest(room.desk.address, { path: '/api/desk/working', headers: { 'authorization': 'Bearer a-guess', 'x-forwarded-for': `2001:db8::${index.toString(16)}` } })).status;
  for (let sent = 0; sent < ADDRESSES; sent += AT_ONCE) {
    expect(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => guess(sent + index)))).toEqual(Array.from({ length: AT_ONCE }, () => 401));
  }
  const { entries } = (await admin.get('/api/desk/audit?kind=request+refused&limit=1000')).body as unknown as DeskAudit;
  expect(entries.length).toBeLessThan(10);
});
