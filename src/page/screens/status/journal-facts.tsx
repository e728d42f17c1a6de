import type { ApiResponse } from '#model/response.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { formatBytes } from '#model/format/bytes.ts';
import { formatCount } from '#model/format/count.ts';
import { forecastJournal } from '#model/orders/journal-figures.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { FactList } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { toProvenance } from '#model/tables/status/endpoint-rows.ts';
import styles from './status-screen.module.css';

/** Shows what the journal of working orders keeps, and for how long. */
export function JournalFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { journal, live } = response.value;
  const forecast = forecastJournal(journal);
  const every = live.topics.find(({ topic }) => topic === 'working-orders')?.watched_seconds ?? null;
  if (forecast === null) return <NothingKept every={every} />;
  const { kept_from: from, read_to: to, changes, bytes, max_bytes: maxBytes } = journal;
  return (
    <div className={styles['facts']}>
      <FactList
        facts={[
          { name: 'Kept', value: formatDuration(forecast.keptSeconds) },
          { name: 'From', value: <Timestamp at={from} /> },
          { name: 'Last reading', value: <Timestamp at={to} /> },
          {
            name: 'Background reading',
            value: every === null ? 'off (DESK_JOURNAL_SECONDS is 0)' : `every ${formatDuration(every)}`,
          },
          {
            name: 'Changes',
            value:
              changes === null ? (
                '–'
              ) : (
                <Figure
                  name="Changes"
                  text={formatCount(changes)}
                  provenance={() => toProvenance(response, 'journal.changes', changes)}
                />
              ),
          },
          {
            name: 'Sealed size',
            value:
              bytes === null ? (
                '–'
              ) : (
                <Figure
                  name="Sealed size"
                  text={`${formatBytes(bytes)} of ${formatBytes(maxBytes)}`}
                  provenance={() => toProvenance(response, 'journal.bytes', bytes)}
                />
              ),
          },
          { name: 'Oldest changes dropped', value: describeDropping(forecast.fullInSeconds) },
        ]}
      />
    </div>
  );
}

function describeDropping(fullInSeconds: number | null): string {
  if (fullInSeconds === null) return '– (rate unknown during its first hour)';
  return fullInSeconds === 0 ? 'now: it is full' : `in ${formatDuration(fullInSeconds)}, at its rate so far`;
}

function NothingKept({ every }: { readonly every: number | null }) {
  return (
    <EmptyState title="The journal is empty">
      <p>
        {every === null
          ? 'Working orders are read only while a screen shows them: background reading is off ' +
            '(DESK_JOURNAL_SECONDS is 0).'
          : 'Working orders have not been read yet.'}
      </p>
    </EmptyState>
  );
}
