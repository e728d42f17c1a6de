import { useQueries, useQuery } from '@tanstack/react-query';
import { useDoor } from '#api/react.tsx';
import type { AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import type { PanelQuery } from '#ui/panel/panel-query.ts';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';
import { joinEach, type VoiAnswer } from './join-each.ts';

/** The venue's own total of all the products, in one question. */
export function useTotal(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const [first] = products;
  const ids = products.length === 1 && first ? first.id : products.map(({ id }) => id);
  return usePanelQuery(useQuery({ ...queries.venue.chartVoi({ product_id: ids, ...asked }), enabled }));
}

/** Each product's own rows, a question each, as one answer that is as old as its oldest. */
export function useEach(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const joined = useQueries({ queries: products.map(({ id }) => ({ ...queries.venue.chartVoi({ product_id: id, ...asked }), enabled })), combine: joinEach });
  return joined();
}
