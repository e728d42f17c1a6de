import type { NamedProduct } from '#domain/markets/product-directory.ts';
import type { RequestedRange } from '#domain/time/date-range.ts';
import type { Period } from '#domain/time/period.ts';
import { EvidenceDialog } from '#panels/evidence/evidence-dialog.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { PRICE_PARAMS } from '../price-params.ts';
import { priceReader, type PriceSubject } from './read-price.ts';

/** What a chart was requested with. */
export interface ChartRanges {
  readonly range: RequestedRange;
  /** Of the current figures, which those of the chart are checked with. */
  readonly current: RequestedRange;
  readonly isWholeHistory: boolean;
}

interface PriceEvidenceProps {
  readonly named: NamedProduct;
  readonly ranges: ChartRanges;
  readonly period: Period;
  readonly close: () => void;
}

export function PriceEvidence({ named: { id, name }, ranges: { range, current, isWholeHistory }, period, close }: PriceEvidenceProps) {
  const [scale] = useUrlState(PRICE_PARAMS.scale);
  const toSubject = (): PriceSubject => ({ screen: 'price', product_id: String(id), period, range, current, whole_history: isWholeHistory, scale });
  return <EvidenceDialog offer={{ title: `Price ${name}`, toSubject, reader: priceReader, hasOwners: false, reads: 'All bars of the range are read again, also those out of view.' }} close={close} />;
}
