import type { ApiResponse } from '#model/response.ts';
import { isFailing } from '#page/client/outage.ts';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { FactList, type Fact } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/controls/figure.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { Address } from './address.tsx';
import { LastFailure } from './last-failure.tsx';
import { toProvenance } from '#model/tables/status/to-provenance.ts';
import styles from './status-screen.module.css';

export function VenueFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { venue } = response.value;
  const facts: readonly Fact[] = [
    { name: 'Name', value: venue.name },
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
