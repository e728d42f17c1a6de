import { Fragment } from 'react';
import type { Answer } from '#api/answer.ts';
import type { DeskStatus } from '#contract/desk.ts';
import { FactList, type Fact } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Moment } from '#ui/time/moment.tsx';
import { toProvenance } from './to-provenance.ts';
import styles from './status-screen.module.css';

type Venue = DeskStatus['venue'];

export function VenueFacts({ answer }: { readonly answer: Answer<DeskStatus> }) {
  const { venue } = answer.value;
  const facts: readonly Fact[] = [
    { name: 'Name', value: `${venue.name}, ${venue.env}` },
    { name: 'Address', value: <Address url={venue.base_url} />, code: true },
    { name: 'Connection', value: <Circuit circuit={venue.circuit} /> },
    { name: 'Last answer', value: <Moment at={venue.last_answer_at} /> },
    { name: 'Clock against ours', value: <ClockOffset answer={answer} /> },
    { name: 'Last failure', value: <LastFailure failure={venue.last_failure} /> },
  ];
  return (
    <div className={styles['facts']}>
      <FactList facts={facts} />
    </div>
  );
}

/** Where it is longer than a line it goes on after a slash, not within a name. */
function Address({ url }: { readonly url: string }) {
  return url.split(/(?<=\/)(?!\/)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function Circuit({ circuit }: Pick<Venue, 'circuit'>) {
  if (circuit === 'closed') return <StateWord state="good">in order</StateWord>;
  if (circuit === 'half-open') return <StateWord state="attention">being tried again</StateWord>;
  return <StateWord state="bad">not asked for a while, because too much failed</StateWord>;
}

function ClockOffset({ answer }: { readonly answer: Answer<DeskStatus> }) {
  const offset = answer.value.venue.clock_offset_ms;
  if (offset === null) return <>not told yet</>;
  const text = `${Math.abs(Math.round(offset))} ms ${offset < 0 ? 'behind' : 'ahead'}`;
  return <Figure name="Clock" text={text} provenance={() => toProvenance(answer, 'venue.clock_offset_ms', offset)} />;
}

function LastFailure({ failure }: { readonly failure: Venue['last_failure'] }) {
  if (failure === null) return <StateWord state="good">none</StateWord>;
  return (
    <>
      <Moment at={failure.at} /> {failure.type}: {failure.detail}
    </>
  );
}
