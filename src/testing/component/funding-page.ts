import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { unreachable } from './change-answers.ts';
import type { Change } from './mount.tsx';
import { expectCount, exportAs, fileSavedBy } from './screen.ts';

/** Parts of addresses on the screens of funding. */
const FUNDING = '/api/desk/funding?';
export const ESTIMATED = '/funding-rates/estimated/';

export interface Print {
  readonly funding_rate: number;
  readonly interest_rate: number;
  readonly interval_start: string;
  readonly interval_end: string;
}

/** The part of a perpetual's settled rates that tests change. */
export interface Perpetual {
  readonly base_symbol: string;
  /** The rates, newest first. */
  readonly prints: readonly Print[];
}

export const compared = (): Locator => page.getByRole('grid', { name: 'Funding of all perpetuals' });
/** Returns all rows, which are rendered in order. */
export const rows = (): Locator => compared().getBySelector('[role=row]:has([role=gridcell])');
export const cellOf = (symbol: string, column: string): Locator =>
  rows()
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })
    .getBySelector(`[data-column="${column}"]`);
export const choice = (group: string, name: string): Locator =>
  page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true });
export const figureNote = (): Locator => page.getByRole('dialog');
/** Returns the heatmap. It and its table are grids of the same name. */
export const heatmap = (): Locator => page.getByRole('grid', { name: 'Funding heatmap' });
export const ratesPanel = (): Locator => page.getByRole('region', { name: 'Settled rates' });

/** Shows these columns beside the pinned ones, as if the person had chosen them earlier. */
export function showColumns(columns: readonly string[], layout = 'funding'): void {
  const pinned = ['pick', 'symbol'];
  localStorage.setItem(
    `perpdesk.${layout}.layout`,
    JSON.stringify({
      version: 1,
      order: [...pinned, ...columns],
      widths: {},
      hidden: [],
      pinned: { start: pinned, end: [] },
    }),
  );
}

/** Changes what Perpdesk has of each perpetual's settled rates. */
export function changePerpetuals(change: (perpetual: Perpetual) => object): Change {
  return (answer) => {
    if (!answer.target.includes(FUNDING) || answer.status !== 200) return answer;
    const body = JSON.parse(answer.text) as { readonly perpetuals: readonly Perpetual[] };
    return { ...answer, text: JSON.stringify({ ...body, perpetuals: body.perpetuals.map(change) }) };
  };
}

export function changePrints(symbol: string, change: (prints: readonly Print[]) => readonly Print[]): Change {
  return changePerpetuals((perpetual) =>
    perpetual.base_symbol === symbol ? { ...perpetual, prints: change(perpetual.prints) } : perpetual,
  );
}

/** Makes the exchange unreachable for requests with this in their address, while `isDown`. */
export function failAt(part: string, isDown: () => boolean = () => true): Change {
  return (answer) => (answer.target.includes(part) && isDown() ? unreachable(answer) : answer);
}

export const failFunding = (isDown?: () => boolean): Change => failAt(FUNDING, isDown);

/** Makes the exchange unreachable since predicted rates of that age were read. */
export function ageEstimates(seconds: number): Change {
  const stale = { 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable', 'age': String(seconds) };
  return (answer) =>
    answer.target.includes(ESTIMATED) ? { ...answer, headers: { ...answer.headers, ...stale } } : answer;
}

/** Waits for all predicted rates, which the screen reads a few at a time. */
export async function expectAllPredicted(): Promise<void> {
  await expect.element(page.getBySelector('[role=gridcell][data-column^="estimate"]').first()).toBeInTheDocument();
  await expectCount(page.getBySelector('[role=gridcell][data-column^="estimate"]').filter({ hasText: '…' }), 0);
}

export async function focusOn(locator: Locator): Promise<void> {
  await expect.element(locator).toBeInTheDocument();
  (locator.element() as HTMLElement).focus();
}

/**
 * Returns the description that a screen reader reads: only its text, because computing it as a browser does takes
 * seconds for a large grid.
 */
export async function expectDescription(locator: Locator, text: RegExp): Promise<void> {
  const describedBy = (): string => locator.elements()[0]?.getAttribute('aria-describedby') ?? '';
  await expect
    .poll(() =>
      describedBy()
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    )
    .toMatch(text);
}

/** Returns the lines of the file with sources, as an Export menu saves it, by the names of its columns. */
export async function saveLines(menu: Locator): Promise<{
  readonly name: string;
  readonly text: string;
  readonly lines: readonly Readonly<Record<string, string>>[];
}> {
  const { name, text } = await fileSavedBy(() => exportAs('CSV, with sources', menu));
  const [heading = '', ...lines] = text.trimEnd().split('\r\n');
  const columns = heading.split(',');
  const cells = lines.map((line) => line.replaceAll(/"[^"]*"/g, 'quoted').split(','));
  return {
    name,
    text,
    lines: cells.map((own) => Object.fromEntries(columns.map((column, at) => [column, own[at] ?? '']))),
  };
}

/**
 * Plants faults into rates, newest first: the second is off the scale, the third is missing, the sixth comes twice, one
 * overlaps the eighth and ninth, the thirteenth lasts four hours.
 */
export function plantFaults(prints: readonly Print[]): readonly Print[] {
  const later = (instant: string): string => new Date(Date.parse(instant) + 4 * 3_600_000).toISOString();
  return prints.flatMap((print, at) => {
    if (at === 1) return [{ ...print, funding_rate: -0.005 }];
    if (at === 2) return [];
    if (at === 5) return [print, print];
    if (at === 8)
      return [
        { ...print, interval_start: later(print.interval_start), interval_end: later(print.interval_end) },
        print,
      ];
    return at === 12 ? [{ ...print, interval_end: later(print.interval_start) }] : [print];
  });
}
