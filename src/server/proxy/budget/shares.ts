import { isPerson, type Budget, type Payer, type Payers, type Purpose } from '#server/core/ports.ts';

/**
 * Who may use how much of the budget within any window of its length.
 *
 * The budget has two parts. The reserve is for interactive reads only, and nobody may use more of it than they leave. All
 * reads come out of the common part first, of which
 *
 * - the journal has a share that is kept free for it. It uses more only while no people are there.
 * - people together have a share, in equal parts for those who are there, of which one person has at most half of the budget.
 * - the rest is left for who comes next. Of that, as of all that is unused, nobody may use more than they leave.
 *
 * Who had anything read within the window, or waits for it, is there. So whoever comes finds at least half of what is left
 * of the rest at once, and of the reserve as well. From then on the parts of the others are smaller: they get no more until
 * they are within theirs, and what they used beyond it becomes free as the window slides.
 *
 * @internal Exported for the test of the documents that name them.
 */
export const SHARES = { reserve: 0.15, journal: 0.1, people: 0.6, person: 0.5 } as const;

/** What the parts of a budget come to, in requests. */
export interface Parts {
  readonly common: number;
  readonly reserve: number;
  readonly journal: number;
  readonly people: number;
  /** What one person may use of that of people. */
  readonly person: number;
}

export function toParts({ requests }: Budget, keepsJournal: boolean): Parts {
  const reserve = Math.floor(requests * SHARES.reserve);
  return {
    common: requests - reserve,
    reserve,
    journal: keepsJournal ? Math.floor(requests * SHARES.journal) : 0,
    people: Math.floor(requests * SHARES.people),
    person: Math.floor(requests * SHARES.person),
  };
}

/** A request that counts against one of the two parts. */
export interface Counted {
  readonly payers: readonly Payer[];
  readonly isOfReserve: boolean;
}

/** What of each part is used, in all and by each payer. */
export interface Tally {
  readonly common: Pool;
  readonly reserve: Pool;
}

interface Pool {
  used: number;
  ofPeople: number;
  readonly by: Map<Payer, number>;
}

export function toTally(counted: Iterable<Counted>): Tally {
  const tally: Tally = { common: noUse(), reserve: noUse() };
  for (const each of counted) count(tally, each, 1);
  return tally;
}

function noUse(): Pool {
  return { used: 0, ofPeople: 0, by: new Map() };
}

/** `by`: how often; negative takes it back. Those who have it read together use equal parts of it. */
export function count(tally: Tally, { payers, isOfReserve }: Counted, by: number): void {
  const pool = isOfReserve ? tally.reserve : tally.common;
  pool.used += by;
  for (const payer of payers) {
    const part = by / payers.length;
    pool.by.set(payer, usedBy(pool, payer) + part);
    if (isPerson(payer)) pool.ofPeople += part;
  }
}

/** How a read would be paid: from which part, and by those whose share allows it. */
type Payment = Counted & { readonly payers: Payers };

/** Null: it may not be sent now. `there`: the people who are. */
export function findPayment(
  tally: Tally,
  parts: Parts,
  purpose: Purpose,
  payers: Payers,
  there: ReadonlySet<Payer>,
): Payment | null {
  return (
    pay(
      payers,
      false,
      (payer) =>
        leftFor(tally, parts, payer) >= 1 &&
        usedBy(tally.common, payer) + 1 <= shareOf(tally, parts, payer, there) + ROUNDING,
    ) ?? (purpose === 'interactive' ? pay(payers, true, (payer) => mayUseReserve(tally, parts, payer)) : null)
  );
}

/** Whether there would be a permit for somebody else. */
export function isLeft(tally: Tally, parts: Parts, purpose: Purpose): boolean {
  return leftFor(tally, parts, 'desk') >= 1 || (purpose === 'interactive' && tally.reserve.used < parts.reserve);
}

/** How much of the common part a payer may use as things are. */
export function shareOf(tally: Tally, parts: Parts, payer: Payer, there: ReadonlySet<Payer>): number {
  if (payer === 'desk') return parts.common;
  if (payer === 'journal') return Math.max(parts.journal, there.size === 0 ? parts.people : 0);
  const own = usedBy(tally.common, payer);
  const present = there.has(payer) ? there.size : there.size + 1;
  const equal = Math.min(parts.people / present, parts.person, own + parts.people - tally.common.ofPeople);
  // As much as is left then: own + 1 ≤ left.
  return Math.max(equal, (own + leftFor(tally, parts, payer) + 1) / 2);
}

export function usedBy(pool: Pool, payer: Payer): number {
  return pool.by.get(payer) ?? 0;
}

/** Of equal parts that add up to a whole. */
const ROUNDING = 1e-6;

/** Of the common part, without what is kept for the journal. */
function leftFor({ common }: Tally, parts: Parts, payer: Payer): number {
  const kept = payer === 'journal' ? 0 : Math.max(0, parts.journal - usedBy(common, 'journal'));
  return parts.common - common.used - kept + ROUNDING;
}

function mayUseReserve({ reserve }: Tally, parts: Parts, payer: Payer): boolean {
  const left = parts.reserve - reserve.used;
  return left >= 1 && (payer === 'desk' || (isPerson(payer) && usedBy(reserve, payer) + 1 <= left + ROUNDING));
}

function pay(payers: Payers, isOfReserve: boolean, may: (payer: Payer) => boolean): Payment | null {
  const [first, ...others] = payers.filter(may);
  return first === undefined ? null : { payers: [first, ...others], isOfReserve };
}
