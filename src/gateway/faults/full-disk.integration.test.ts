import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { printsBefore } from '#testing/fault/funding-script.ts';
import { answers } from '#testing/fault/behaviours.ts';
import { openFault, PUBLIC, type Fault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';
import { createDisk } from '../disk.ts';
import { createKept } from '../reuse/kept.ts';
import { createPermitLog } from '../reuse/permit-log.ts';

type Change = `${'insert on' | 'update on' | 'delete on'} ${'spent_permit' | 'kept_answer'}`;

/** The database itself refuses these changes, as it does where the disk has no room for them. */
function full(...changes: readonly Change[]): (database: DatabaseSync) => void {
  return (database) => {
    const disk = createDisk(database, { elapsed: () => 0, report: () => undefined });
    createPermitLog(disk, { now: () => 0, elapsed: () => 0 });
    createKept(disk, 0);
    for (const [index, change] of changes.entries()) {
      database.exec(`create trigger full_${String(index)} before ${change} begin select raise(abort, 'database or disk is full'); end`);
    }
  };
}

const SETTLED = '/api/funding-rates/?product_id=5599&begin_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00Z';
const PRINTS = `{"data":[${printsBefore(Date.UTC(2020, 1, 1), 3).join(',')}],"pagination":{"cursor":null}}`;

const statusOf = async ({ ask }: Fault, path: string) => (await ask(path)).status;
const told = ({ logged }: Fault) => logged.filter((line) => line.includes('the disk cannot be read or written'));

test('answers for which the disk has no room are answers; it is told once, and counted', async () => {
  const fault = await openFault({ spoilsDisk: full('insert on kept_answer') });
  fault.venue.alwaysDoes(answers({ body: PRINTS }));
  for (let limit = 1; limit <= 3; limit++) {
    const { status, body } = await fault.ask(`${SETTLED}&limit=${String(limit)}`);
    expect({ status, body: body.toString() }).toEqual({ status: 200, body: PRINTS });
  }
  expect(told(fault)).toHaveLength(1);
  expect((await fault.ask('/metrics')).body.toString()).toContain('\nperpdesk_disk_writes_failed_total 3\n');
});

test('where the end of a request cannot be written down, answers, status and metrics come as ever', async () => {
  const fault = await openFault({ budget: { requests: 2, seconds: 10 }, spoilsDisk: full('update on spent_permit', 'delete on spent_permit') });
  for (let round = 0; round < 3; round++) {
    const statuses = [await statusOf(fault, PUBLIC), await statusOf(fault, '/api/desk/status'), await statusOf(fault, '/metrics')];
    expect(statuses).toEqual([200, 200, 200]);
    fault.advance(11_000);
  }
  expect(fault.venue.requests).toHaveLength(3);
  expect(told(fault)).toHaveLength(1);
});

test('where a request cannot be written down, it is not sent, and who asked is told what to do', async () => {
  const fault = await openFault({ budget: { requests: 9, seconds: 10 }, spoilsDisk: full('insert on spent_permit') });
  for (let time = 0; time < 3; time++) {
    expectProblem(await fault.ask(), { type: 'desk-cannot-write', detail: /^The desk cannot write to its folder \(database or disk is full\): make room on its disk, or set DESK_DATA_DIR/ });
  }
  expect(fault.venue.requests).toHaveLength(0);
  expect([await statusOf(fault, '/api/desk/status'), await statusOf(fault, '/metrics'), await statusOf(fault, '/readyz')]).toEqual([200, 200, 503]);
  expect(told(fault)).toHaveLength(1);
});
