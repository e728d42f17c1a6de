import { useQuery } from '@tanstack/react-query';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { describeUnlisted, findUnlisted } from '#model/products/unlisted.ts';
import { FUNDING_ROWS } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from '../funding.module.css';

/** Says which perpetuals settled last without being listed, by the request that Markets makes. */
export function Unlisted({ perpetuals }: Pick<DeskFunding, 'perpetuals'>) {
  const { queries } = useApi();
  const { data } = useQuery(queries.venue.fundingRates({ limit: FUNDING_ROWS }));
  const listed = new Set(perpetuals.map(({ product_id: id }) => toNumber(id)));
  const unlisted = describeUnlisted(findUnlisted(listed, { funding: data?.value.data }));
  useAnnounced(unlisted && `${unlisted.title} ${unlisted.text}`, true);
  return (
    unlisted !== null && (
      <p className={styles['notice']} role="note">
        <strong>{unlisted.title}</strong> <span>{unlisted.text}</span>
      </p>
    )
  );
}
