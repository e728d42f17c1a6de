import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { asQuery, expectThat, type Context } from './check.ts';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly cursor?: string | null };
}

export interface Walked<Row> {
  readonly rows: readonly Row[];
  readonly pages: number;
  /** The sign of the end, or that the walk stopped before it. */
  readonly end: 'absent cursor' | 'null cursor' | 'empty cursor' | 'repeated cursor' | 'empty page' | 'stopped';
}

type PagedName = Extract<EndpointName, 'fundingRates' | 'orders'>;

/** Follows cursors until a sign of the end, until there are enough rows, or for `mostPages`. */
export async function walkPages<Row>(
  context: Context,
  name: PagedName,
  query: Readonly<Record<string, string>>,
  mostPages: number,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<Walked<Row>> {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const request = { query: asQuery({ ...query, ...(cursor !== undefined && { cursor }) }) };
    const page = (await context.read(name, request)) as unknown as Page<Row>;
    const limit = query['limit'];
    expectThat(
      limit === undefined || page.data.length <= Number(limit),
      `a page has ${String(page.data.length)} rows with limit=${limit ?? ''}`,
    );
    rows.push(...page.data);
    const end = endOf(page, seen) ?? (pages >= mostPages || isEnough(rows) ? 'stopped' : undefined);
    if (end !== undefined) return { rows, pages, end };
    cursor = page.pagination.cursor ?? '';
    seen.add(cursor);
  }
}

function endOf(page: Page<unknown>, seen: ReadonlySet<string>): Walked<unknown>['end'] | undefined {
  const { cursor } = page.pagination;
  if (page.data.length === 0) return 'empty page';
  if (cursor === undefined) return 'absent cursor';
  if (cursor === null) return 'null cursor';
  if (cursor === '') return 'empty cursor';
  return seen.has(cursor) ? 'repeated cursor' : undefined;
}
