import { expect, test } from 'vitest';
import { printsBefore } from './funding-script.ts';
import { responds } from './behaviours.ts';
import { openFault, PUBLIC, type Fault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

type Change = `${'insert on' | 'update on' | 'delete on'} ${'spent_permit' | 'kept_answer'}`;

/** Returns statements that make the database reject changes, as on a full disk. */
function full(...changes: readonly Change[]): readonly string[] {
  return changes.map(
    (change, index) =>
      `create trigger full_${String(index)} before ${change} begin select raise(abort, 'database or disk is full'); end`,
  );
}

const SETTLED = '/api/funding-rates/?product_id=5599&begin_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00Z';
const PRINTS = `{"data":[${printsBefore(Date.UTC(2020, 1, 1), 3).join(',')}],"pagination":{"cursor":null}}`;

const statusOf = async ({ send }: Fault, path: string) => (await send(path)).status;
const reports = ({ logged }: Fault) => logged.filter((line) => line.includes('disk failure'));

test('responses are served on a full disk; the failure is logged once, and counted', async () => {
  const fault = await openFault({ corruptsDisk: full('insert on kept_answer') });
  fault.venue.alwaysDoes(responds({ body: PRINTS }));
  for (let limit = 1; limit <= 3; limit++) {
    const { status, body } = await fault.send(`${SETTLED}&limit=${String(limit)}`);
    expect({ status, body: body.toString() }).toEqual({ status: 200, body: PRINTS });
  }
  expect(reports(fault)).toHaveLength(1);
  expect((await fault.send('/metrics')).body.toString()).toContain('\nperpdesk_disk_writes_failed_total 3\n');
});

test('if the end of a request cannot be stored, responses, status and metrics still work', async () => {
  const fault = await openFault({
    budget: { requests: 2, seconds: 10 },
    corruptsDisk: full('update on spent_permit', 'delete on spent_permit'),
  });
  for (let round = 0; round < 3; round++) {
    const statuses = [
      await statusOf(fault, PUBLIC),
      await statusOf(fault, '/api/desk/status'),
      await statusOf(fault, '/metrics'),
    ];
    expect(statuses).toEqual([200, 200, 200]);
    fault.advance(11_000);
  }
  expect(fault.venue.requests).toHaveLength(3);
  expect(reports(fault)).toHaveLength(1);
});

test('if a permit cannot be stored, the request is not sent, and the problem says what to do', async () => {
  const fault = await openFault({ budget: { requests: 9, seconds: 10 }, corruptsDisk: full('insert on spent_permit') });
  for (let time = 0; time < 3; time++) {
    expectProblem(await fault.send(), {
      type: 'desk-cannot-write',
      detail:
        /^Perpdesk cannot write to its data folder \(database or disk is full\): free some disk space, or set DESK_DATA_DIR/,
    });
  }
  expect(fault.venue.requests).toHaveLength(0);
  expect([
    await statusOf(fault, '/api/desk/status'),
    await statusOf(fault, '/metrics'),
    await statusOf(fault, '/readyz'),
  ]).toEqual([200, 200, 503]);
  expect(reports(fault)).toHaveLength(1);
});

/** The check of the disk cannot write until something is in the cache. */
const fullUntilCached =
  "create trigger full before insert on write_check when not exists (select 1 from kept_answer) begin select raise(abort, 'database or disk is full'); end";

test('a full disk is not ready, says so in a sentence, and is ready once it can be written again', async () => {
  const fault = await openFault({ corruptsDisk: [fullUntilCached] });
  await fault.send();
  const full = await fault.send('/readyz');
  expect([full.status, full.body.toString()]).toEqual([
    503,
    'not ready: Perpdesk cannot write to its data folder (database or disk is full): free some disk space, or set DESK_DATA_DIR to a writable folder.\n',
  ]);
  fault.venue.alwaysDoes(responds({ body: PRINTS }));
  await fault.send(SETTLED);
  await expect.poll(() => statusOf(fault, '/readyz')).toBe(200);
});
