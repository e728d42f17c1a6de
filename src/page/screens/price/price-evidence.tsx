import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import { expiredOn, type NamedProduct } from '#model/products/product-directory.ts';
import { type ChosenRange, type Period, type RequestedRange, toRequestedRange } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { EvidenceDialog } from '#page/panels/evidence/evidence-dialog.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS, toCurrentRange } from './shared/price-params.ts';
import { priceReader, type PriceSubject } from '#page/panels/evidence/read-price.ts';

interface PriceEvidenceProps {
  readonly named: NamedProduct;
  readonly period: Period;
  readonly close: () => void;
}

export function PriceEvidence({ named: { id, name, product }, period, close }: PriceEvidenceProps) {
  const [range] = useUrlState(PRICE_PARAMS.range);
  const [scale] = useUrlState(PRICE_PARAMS.scale);
  const { now } = useApi();
  const toVenueTime = useVenueTime();
  const toSubject = (): PriceSubject => {
    const today = expiredOn(product) ?? latestSessionOf(toVenueTime(now()));
    const toRange = (chosen: ChosenRange): RequestedRange => toRequestedRange(chosen, today, period);
    return {
      screen: 'price',
      product_id: String(id),
      period,
      range: toRange(range),
      current: toRange(toCurrentRange(range)),
      whole_history: 'name' in range && range.name === 'All',
      scale,
    };
  };
  return (
    <EvidenceDialog
      offer={{
        title: `Price ${name}`,
        toSubject,
        reader: priceReader,
        contents: null,
        reads: 'All bars of the range are read again, also those out of view.',
      }}
      close={close}
    />
  );
}
