import type { ApiResponse } from '#model/response.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { formatCount } from '#model/format/count.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/controls/figure.tsx';
import { Address } from './address.tsx';
import { LastFailure } from './last-failure.tsx';
import { toProvenance } from '#model/tables/status/to-provenance.ts';
import styles from './status-screen.module.css';

/** The database of what survives a restart. */
export function StoreFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { kind, place, failed_writes: failedWrites, last_failure: lastFailure } = response.value.store;
  return (
    <>
      <h3 className={styles['sub']}>Store</h3>
      <FactList
        facts={[
          { name: 'Database', value: kind },
          { name: 'Location', value: <Address url={place} />, code: true },
          {
            name: 'Failed writes',
            value: (
              <Figure
                name="Failed writes"
                text={formatCount(failedWrites)}
                provenance={() => toProvenance(response, 'store.failed_writes', failedWrites)}
              />
            ),
          },
          { name: 'Last failure', value: <LastFailure failure={lastFailure} /> },
        ]}
      />
    </>
  );
}
