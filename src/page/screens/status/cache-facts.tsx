import type { ApiResponse } from '#model/response.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { FactList } from '../../kit/fact-list.tsx';
import { Figure } from '../../kit/controls/figure.tsx';
import { Address } from './address.tsx';
import { LastFailure } from './last-failure.tsx';
import { toProvenance } from '#model/tables/status/to-provenance.ts';
import styles from './status-screen.module.css';
import { formatBytes } from '#model/format/bytes.ts';

/** The database of what survives a restart. */
function StoreFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
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

type Outcome = 'hit' | 'disk_hit' | 'coalesced' | 'miss' | 'stale' | 'failed';

const OUTCOMES: readonly (readonly [outcome: Outcome, name: string])[] = [
  ['miss', 'Misses (read from exchange)'],
  ['coalesced', 'Coalesced with another request'],
  ['hit', 'Memory hits'],
  ['disk_hit', 'Disk hits (settled data)'],
  ['stale', 'Served stale'],
  ['failed', 'Failed'],
];

export function CacheFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { answers } = response.value;
  const counts = OUTCOMES.map(([outcome, name]) => ({
    name,
    value: (
      <Figure
        name={name}
        text={formatCount(answers[outcome])}
        provenance={() => toProvenance(response, `answers.${outcome}`, answers[outcome])}
      />
    ),
  }));
  const sizes = [
    { name: 'Stored in memory', value: <CacheSize response={response} name="Stored in memory" place="in_memory" /> },
    { name: 'Stored on disk', value: <CacheSize response={response} name="Stored on disk" place="on_disk" /> },
  ];
  return (
    <div className={styles['facts']}>
      <FactList facts={[...counts, ...sizes]} />
      <StoreFacts response={response} />
    </div>
  );
}

interface CacheSizeProps {
  readonly response: ApiResponse<DeskStatus>;
  readonly name: string;
  readonly place: 'in_memory' | 'on_disk';
}

function CacheSize({ response, name, place }: CacheSizeProps) {
  const size = response.value.answers[place];
  return (
    <Figure
      name={name}
      text={`${countOf(size.answers, 'response')}, ${formatBytes(size.bytes)}`}
      provenance={() => toProvenance(response, `answers.${place}`, size)}
    />
  );
}
