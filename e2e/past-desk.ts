import { expect, type Page } from '@playwright/test';
import { orderGrid, readWorking, withDesk, type WireOrder } from './orders-desk.ts';

/** In this busy market, each second of the test is five minutes. */
export const test = withDesk(['--working', '300', '--live', 'on', '--speed', '300']);

interface Book {
  readonly read_to: string;
  readonly next_read_at: string | null;
  readonly orders: readonly WireOrder[];
}

async function get<Value>({ request }: Page, path: string): Promise<Value> {
  return (await (await request.get(`/api/desk/${path}`)).json()) as Value;
}

export function readBook(page: Page, at: string): Promise<Book> {
  return get<Book>(page, `journal/book?at=${at}`);
}

interface Change {
  readonly read_by: string;
}

/**
 * Returns the readings that showed a change, oldest first. Until there are enough, it reads working orders as a screen
 * does.
 */
export async function readUntilChanged(page: Page, count: number): Promise<readonly string[]> {
  let times: readonly string[] = [];
  await expect
    .poll(
      async () => {
        await readWorking(page);
        const { changes } = await get<{ readonly changes: readonly Change[] }>(
          page,
          'journal/changes?kind=changed&kind=gone&kind=seen&order=asc&limit=1000',
        );
        times = [...new Set(changes.map(({ read_by: by }) => by))];
        return times.length;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThanOrEqual(count);
  return times;
}

/** Opens working orders as they were at a time. */
export async function openPast(page: Page, at: string, more = ''): Promise<void> {
  await page.goto(`/orders?at=${at}${more}`);
  await expect(orderGrid(page)).toBeVisible({ timeout: 15_000 });
}

/** Formats a time as `2026-11-20 08:00:00`. */
export function toShownTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
