import { isPerson, type Budget, type Payer, type Payers, type Purpose } from '#server/core/ports.ts';

/**
 * Who may use how much of the budget within any window of its length.
 *
 * The budget has two parts. The reserve is for interactive reads only, and no one may use more of it than they leave.
 * All reads use the common part first. What is only read ahead of need uses nothing while less than half of the budget
 * is free.
 *
 * - The journal has a share that is kept free for it: what its readings need, within limits. It uses more only while no
 *   people are present.
 * - People together have a share, divided equally among those present, of which one person has at most half of the
 *   budget.
 * - The rest is left for newcomers. Of that, as of everything unused, no one may use more than they leave.
 *
 * A person is present if anything was read for them within the window, or waits to be. So a newcomer finds at least
 * half of what is left of the rest at once, and likewise of the reserve. From then on, the shares of the others are
 * smaller: they get no more until they are within theirs, and what they used beyond it becomes free as the window
 * slides.
 *
 * @internal Exported for the test of the documents that name them.
 */
export const SHARES = { reserve: 0.15, journal: 0.1, mostJournal: 0.35, people: 0.6, person: 0.5 } as const;

const PRICE_SECONDS = 60;

/** How often the journal has market prices read: each is a request, and they change more slowly than orders. */
export function toPriceSeconds(journalSeconds: number): number {
  return Math.max(PRICE_SECONDS, journalSeconds);
}

/** The parts of a budget, in requests. */
export interface Parts {
  readonly common: number;
  readonly reserve: number;
  readonly journal: number;
  readonly people: number;
  /** The most that one person may use of the people’s share. */
  readonly person: number;
}

/** `journalSeconds`: how often the journal is read; null if there is none. */
export function toParts({ requests, seconds }: Budget, journalSeconds: number | null): Parts {
  const reserve = Math.floor(requests * SHARES.reserve);
  return {
    common: requests - reserve,
    reserve,
    journal: journalSeconds === null ? 0 : toJournalShare(requests, seconds, journalSeconds),
    people: Math.floor(requests * SHARES.people),
    person: Math.floor(requests * SHARES.person),
  };
}

/** One request for each reading of working orders, of the order history, and of prices. */
function toJournalShare(requests: number, seconds: number, journalSeconds: number): number {
  const needed = Math.ceil((2 * seconds) / journalSeconds) + Math.ceil(seconds / toPriceSeconds(journalSeconds));
  return Math.floor(Math.max(requests * SHARES.journal, Math.min(requests * SHARES.mostJournal, needed)));
}

/** A request, counted against one of the two parts. */
export interface Counted {
  readonly payers: readonly Payer[];
  readonly isOfReserve: boolean;
}

/** The usage of each part, in total and by payer. */
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

/** Counts a request `by` times; a negative number takes it back. Its payers use equal parts of it. */
export function count(tally: Tally, { payers, isOfReserve }: Counted, by: number): void {
  const pool = isOfReserve ? tally.reserve : tally.common;
  pool.used += by;
  for (const payer of payers) {
    const part = by / payers.length;
    pool.by.set(payer, usedBy(pool, payer) + part);
    if (isPerson(payer)) pool.ofPeople += part;
  }
}

/** How a read would be paid: from which part, and by which of its payers. */
type Payment = Counted & { readonly payers: Payers };

/** Returns null if the read may not be sent now. `there` are the people present. */
export function findPayment(
  tally: Tally,
  parts: Parts,
  purpose: Purpose,
  payers: Payers,
  there: ReadonlySet<Payer>,
): Payment | null {
  if (purpose === 'prefetch' && !isHalfFree(tally, parts)) return null;
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

/** Whether there would be a permit for someone else. */
export function isLeft(tally: Tally, parts: Parts, purpose: Purpose): boolean {
  if (purpose === 'prefetch' && !isHalfFree(tally, parts)) return false;
  return leftFor(tally, parts, 'desk') >= 1 || (purpose === 'interactive' && tally.reserve.used < parts.reserve);
}

function isHalfFree({ common, reserve }: Tally, parts: Parts): boolean {
  return common.used + reserve.used <= (parts.common + parts.reserve) / 2;
}

/** Returns how much of the common part a payer may use at present. */
export function shareOf(tally: Tally, parts: Parts, payer: Payer, there: ReadonlySet<Payer>): number {
  if (payer === 'desk') return parts.common;
  if (payer === 'journal') return Math.max(parts.journal, there.size === 0 ? parts.people : 0);
  const own = usedBy(tally.common, payer);
  const present = there.has(payer) ? there.size : there.size + 1;
  const equal = Math.min(parts.people / present, parts.person, own + parts.people - tally.common.ofPeople);
  // Equal to what is left afterwards: own + 1 ≤ left.
  return Math.max(equal, (own + leftFor(tally, parts, payer) + 1) / 2);
}

export function usedBy(pool: Pool, payer: Payer): number {
  return pool.by.get(payer) ?? 0;
}

/** The error of equal parts that add up to a whole. */
const ROUNDING = 1e-6;

/** Returns what is left of the common part, without the share kept for the journal. */
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
