import type { ApiResponse } from '#model/response.ts';
import { isFailing, nameExchange } from '#page/client/desk-status.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { type Fact, FactList } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { toProvenance } from '#model/tables/status/endpoint-rows.ts';
import styles from './status-screen.module.css';
import { Fragment } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatBytes } from '#model/format/bytes.ts';

export function VenueFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { venue } = response.value;
  const facts: readonly Fact[] = [
    { name: 'Name', value: nameExchange(venue) },
    { name: 'Environment', value: venue.env },
    { name: 'Base URL', value: <Address url={venue.base_url} />, code: true },
    { name: 'Connection', value: <Circuit status={response} /> },
    { name: 'Last response', value: <Timestamp at={venue.last_answer_at} /> },
    { name: 'Clock offset', value: <ClockOffset response={response} /> },
    { name: 'Last failure', value: <LastFailure failure={venue.last_failure} /> },
  ];
  return (
    <div className={styles['facts']}>
      <FactList facts={facts} />
    </div>
  );
}

function Circuit({ status }: { readonly status: ApiResponse<DeskStatus> }) {
  const { circuit } = status.value.venue;
  if (circuit === 'closed')
    return isFailing(status) ? (
      <StatusBadge state="attention">the last request failed</StatusBadge>
    ) : (
      <StatusBadge state="good">OK</StatusBadge>
    );
  if (circuit === 'half-open') return <StatusBadge state="attention">probing after failures</StatusBadge>;
  return <StatusBadge state="bad">paused after repeated failures</StatusBadge>;
}

function ClockOffset({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { clock_offset_ms: offset, ignored_date: ignoredDate } = response.value.venue;
  if (ignoredDate !== null)
    return (
      <StatusBadge state="attention">
        unknown: the exchange sends the date {ignoredDate}, which Perpdesk ignores
      </StatusBadge>
    );
  if (offset === null) return <>not measured yet</>;
  const text = `${Math.abs(Math.round(offset))} ms ${offset < 0 ? 'behind' : 'ahead of'} this machine’s clock`;
  return (
    <Figure
      name="Clock offset"
      text={text}
      provenance={() => toProvenance(response, 'venue.clock_offset_ms', offset)}
    />
  );
}

/** Lets a long address break after a slash. */
function Address({ url }: { readonly url: string }) {
  return url.split(/(?<=\/)(?!\/)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function LastFailure({ failure }: { readonly failure: DeskStatus['venue']['last_failure'] }) {
  if (failure === null) return <StatusBadge state="good">none</StatusBadge>;
  return (
    <>
      <Timestamp at={failure.at} /> {failure.type}: {failure.detail}
    </>
  );
}

/** Shows the database that keeps what must survive a restart. */
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
  if (answers === null)
    return (
      <div className={styles['facts']}>
        <ForAdministrators />
        <StoreFacts response={response} />
      </div>
    );
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
  const toSize = (name: string, place: 'in_memory' | 'on_disk'): Fact => ({
    name,
    value: (
      <Figure
        name={name}
        text={`${countOf(answers[place].answers, 'response')}, ${formatBytes(answers[place].bytes)}`}
        provenance={() => toProvenance(response, `answers.${place}`, answers[place])}
      />
    ),
  });
  const sizes = [toSize('Stored in memory', 'in_memory'), toSize('Stored on disk', 'on_disk')];
  return (
    <div className={styles['facts']}>
      <FactList facts={[...counts, ...sizes]} />
      <StoreFacts response={response} />
    </div>
  );
}

/** Says why figures about what others read are missing. */
export function ForAdministrators() {
  return <p className={styles['below']}>Only administrators see these figures.</p>;
}
