import { expect, it } from 'vitest';
import type { Link } from '#contract/desk/audit-chain.ts';
import type { DeskAudit } from '#contract/desk/access.ts';
import { type AuditEvent, type AuditStore, chain, GENESIS } from '../audit/audit-store.ts';
import { createAccessResponders } from './describe-access.ts';

const SIGN_IN: AuditEvent = { kind: 'sign-in', who: 'a', name: 'Ann', address: '', detail: '' };
const written = chain(
  GENESIS,
  Array.from({ length: 7 }, (_, at) => ({ at, event: SIGN_IN })),
);
const linkTo = (end: number): Link => ({ number: end, hash: written[end - 1]?.hash ?? GENESIS.hash });

/** Opens a log that gains an entry and drops its oldest before and after its page is read. */
function openMovingLog(): Pick<AuditStore, 'page' | 'ends'> {
  let dropped = 1;
  const move = () => {
    dropped += 1;
  };
  const kept = () => written.slice(dropped, dropped + 3).toReversed();
  return {
    page: () => {
      move();
      const entries = kept();
      move();
      return Promise.resolve({ entries, next: null });
    },
    ends: () => Promise.resolve({ anchor: linkTo(dropped), head: linkTo(dropped + 3) }),
  };
}

it('a page of the audit log lacks no entry between its ends, although others are written and dropped meanwhile', async () => {
  const { audit } = createAccessResponders({ audit: openMovingLog() } as unknown as Parameters<
    typeof createAccessResponders
  >[0]);
  const { entries, anchor, head } = JSON.parse(await audit([])) as DeskAudit;
  expect(
    entries.map(({ number }) => number).filter((number) => number > anchor.number && number <= head.number),
  ).toEqual([4]);
  expect([anchor.number, head.number]).toEqual([3, 4]);
});
