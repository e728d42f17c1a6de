import type { WindowView } from '#page/client/page-window/page-window.ts';
import type { LoadedPage } from '#page/client/page-window/page-span.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { ExportParts } from './export-history.ts';

type LoadedView = Pick<WindowView<Order>, 'list' | 'end' | 'setAside' | 'newer'>;

/**
 * The pages of the list, where they are all orders: every page is in memory, the end is certain, no row failed validation,
 * and the last check found nothing newer. Null where an export has to read them.
 */
export function toLoadedPages({
  list: { spans },
  end,
  setAside,
  newer,
}: LoadedView): readonly LoadedPage<Order>[] | null {
  const isWhole = end !== null && end !== 'repeated cursor' && setAside.size === 0;
  const isNewest = newer.count === 0 && newer.changed === 0 && newer.error === null;
  const pages = spans.flatMap(({ loaded }) => loaded ?? []);
  return isWhole && isNewest && pages.length > 0 && pages.length === spans.length ? pages : null;
}

/** Loaded pages as an export reads them, each with the number of the next as its cursor. */
export function readLoaded(pages: readonly LoadedPage<Order>[]): ExportParts['fetchPage'] {
  return (cursor) => {
    const at = Number(cursor ?? 0);
    const page = pages[at];
    if (page === undefined) return Promise.reject(new Error('No such page is loaded.'));
    const next = at + 1 < pages.length ? (String(at + 1) as Cursor) : null;
    const value = { data: page.rows, pagination: { cursor: next } };
    return Promise.resolve({
      ...page.source,
      value,
      setAside: [],
      deviations: [],
      freshSeconds: null,
      staleBecause: null,
      tag: null,
    });
  };
}
