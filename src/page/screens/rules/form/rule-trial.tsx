import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { NO_REFETCH } from '#page/client/freshness.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { nounOfSubjects } from '#model/rules/rule-subjects.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { type TimeWindow, toShare } from '#model/time/time-window.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatDuration, formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import lineStyles from './trial-line.module.css';
import type { RuleTrial as Trial } from '#contract/desk/alerts.ts';
import { describeFirings, describeUnread } from '#model/rules/rule-sentence.ts';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { Static } from '#contract/exchange/schema.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import { describeNothing } from '#model/rules/alert-summary.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import styles from './form.module.css';

/** Delay between the last change and the test. */
const PAUSE_MS = 500;

/** Tests a rule. Without a complete rule (null), there is no test. */
export function useTrial(rule: Rule | null) {
  const { actions } = useRulesApi();
  const tried = useSettled(rule === null ? '' : JSON.stringify(rule));
  return useQuery({
    queryKey: ['desk/tryRule', tried],
    queryFn: () => actions.tryRule({ body: { rule: JSON.parse(tried) as Rule } }),
    enabled: tried !== '',
    retry: false,
    ...NO_REFETCH,
  });
}

/** Returns the text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return text === '' ? '' : settled;
}

interface TrialLineProps {
  readonly span: TimeWindow;
  readonly gaps: readonly TimeWindow[];
  readonly firings: readonly TimeWindow[];
}

const WIDTH = 1_000;

/** Draws the tested time as a line, with firings marked and gaps hatched. */
function TrialLine({ span, gaps, firings }: TrialLineProps) {
  const [zone] = useZone();
  if (span.to <= span.from) return null;
  return (
    <figure className={lineStyles['line']}>
      <figcaption aria-hidden="true">
        {firings.length > 0 && (
          <span>
            <i data-part="firing" /> firing
          </span>
        )}
        {gaps.length > 0 && (
          <span>
            <i data-part="gap" className={lineStyles['sample']} /> gap: not read
          </span>
        )}
      </figcaption>
      <div className={lineStyles['track']}>
        {gaps.map((gap) => (
          <i key={gap.from} data-part="gap" className={lineStyles['gap']} style={toPlace(gap, span)} />
        ))}
        <svg
          viewBox={`0 0 ${String(WIDTH)} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            `${countOf(firings.length, 'firing')}, ${countOf(gaps.length, 'gap')}. Each firing ` + 'is listed below.'
          }
        >
          <path d={firings.map((firing) => toPath(firing, span)).join('')} />
        </svg>
      </div>
      <div className={lineStyles['axis']}>
        {[span.from, span.to].map((at) => (
          <Time key={at} at={at}>
            {formatInstant(at, zone)}
          </Time>
        ))}
      </div>
    </figure>
  );
}

function toPath({ from, to }: TimeWindow, span: TimeWindow): string {
  const [start, end] = [from, to].map((at) => (WIDTH * toShare(at, span)).toFixed(2));
  return `M${String(start)} 0V1H${String(end)}V0Z`;
}

function toPlace({ from, to }: TimeWindow, span: TimeWindow) {
  return {
    insetInlineStart: toPercent(toShare(from, span)),
    inlineSize: toPercent(toShare(to, span) - toShare(from, span)),
  };
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

const FIRING_COLUMNS: readonly Column<Trial['firings'][number]>[] = [
  { name: 'Fired', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'Resolved', cell: ({ resolved_at: at }) => (at === null ? 'not by the end' : <Timestamp at={at} />) },
  { name: 'Of', cell: ({ group: subject, label = subject }) => (subject === '' ? 'all' : label) },
  { name: 'Value', numeric: true, cell: ({ value }) => formatNumber(value === null ? null : toDecimal(value)) },
];

const MOST_FIRINGS = 100;

type TriedRecord = (typeof RECORDS)[keyof typeof RECORDS];

/** What a rule is tried on. */
const RECORDS = {
  journal: { heading: 'On the journal', name: 'the journal', shows: 'shows', has: 'has' },
  rates: { heading: 'On stored settled rates', name: 'the stored settled rates', shows: 'show', has: 'have' },
} as const;

/** Shows when the rule would have fired: as a sentence, a line and a list. */
function TriedPast({
  trial: { not_tried: reason, tried_from: from, tried_to: to, firings, gaps: unread },
  record,
}: {
  readonly trial: Trial;
  readonly record: TriedRecord;
}) {
  if (reason !== null || from === null || to === null) return <p>Cannot be tried on the past. {reason}</p>;
  const span = { from: Date.parse(from), to: Date.parse(to) };
  const gaps = unread.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) }));
  const length = formatDuration((span.to - span.from) / 1_000);
  return (
    <>
      <p>
        In {length}, <strong>{describeFirings(firings.length)}</strong>: from <Timestamp at={from} /> to{' '}
        <Timestamp at={to} />, as far as {record.name} {record.shows}. {describeUnread(gaps, formatDuration, record)}
      </p>
      <TrialLine
        span={span}
        gaps={gaps}
        firings={firings.map((one) => ({
          from: Date.parse(one.at),
          to: one.resolved_at === null ? span.to : Date.parse(one.resolved_at),
        }))}
      />
      {firings.length > 0 && (
        <Table
          caption="When it would have fired"
          columns={FIRING_COLUMNS}
          rows={firings.slice(0, MOST_FIRINGS)}
          keyOf={({ at, group: subject }) => `${at} ${subject}`}
        />
      )}
      {firings.length > MOST_FIRINGS && (
        <p>
          Only the first {MOST_FIRINGS} of {formatCount(firings.length)} are shown.
        </p>
      )}
    </>
  );
}

type Result = Static<typeof Trial>;

interface RuleTrialProps {
  readonly rule: Rule | null;
  readonly query: ReturnType<typeof useTrial>;
}

/** Shows the rule’s current result and when it would have fired. Null means that the draft is no complete rule yet. */
export function RuleTrial({ rule, query }: RuleTrialProps) {
  const { data: shown = null, error, isFetching, refetch } = query;
  return (
    <section className={styles['trial']} aria-labelledby="trial" aria-busy={isFetching}>
      <header>
        <h2 id="trial">Trial</h2>
        <span className={styles['tried']}>
          {isFetching
            ? 'Trying…'
            : shown !== null && (
                <>
                  Tried <Timestamp at={query.dataUpdatedAt} />
                </>
              )}
        </span>
        <button type="button" disabled={rule === null || isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </header>
      <ActionError error={rule === null ? null : error} />
      {rule === null && <p>Once the rule is complete, this shows its result now and when it would have fired.</p>}
      {rule !== null &&
        error === null &&
        (shown === null ? (
          <Skeleton />
        ) : (
          <TrialResult
            trial={shown}
            isMeasured={findMeasure(rule.about, rule.measure)?.unit !== null}
            noun={nounOfSubjects(rule) ?? 'group'}
            record={RECORDS[rule.about === 'funding' ? 'rates' : 'journal']}
          />
        ))}
    </section>
  );
}

type TriedSubject = Result['now'][number];
const MOST_GROUPS = 50;

/** `isMeasured`: the rule compares a value, so without a value there is nothing that could be true or not. */
function toColumns(isMeasured: boolean): readonly Column<TriedSubject>[] {
  return [
    {
      name: 'Now',
      cell: ({ holds, value }) =>
        isMeasured && value === null && holds === false ? (
          <StatusBadge state="none">no value</StatusBadge>
        ) : (
          // A condition that is true is no fault, and one that is not is no success.
          <StatusBadge state={holds === null ? 'attention' : 'none'}>
            {holds === null ? 'unknown' : holds ? <b>true now</b> : 'not now'}
          </StatusBadge>
        ),
    },
    { name: 'Result', cell: ({ sentence }) => sentence },
  ];
}

interface TrialResultProps {
  readonly trial: Result;
  readonly isMeasured: boolean;
  /** What the rule is evaluated for. */
  readonly noun: string;
  readonly record: TriedRecord;
}

function TrialResult({ trial, isMeasured, noun, record }: TrialResultProps) {
  const rank = ({ holds }: TriedSubject): number => (holds === true ? 0 : holds === null ? 1 : 2);
  const subjects = trial.now.toSorted((a, b) => rank(a) - rank(b));
  const held = subjects.filter(({ holds }) => holds === true).length;
  return (
    <>
      <p>
        {trial.watches_nothing === null ? (
          <strong>{describeNow(trial, held, noun)}</strong>
        ) : (
          <StatusBadge state="attention">{describeNothing(trial.watches_nothing)}</StatusBadge>
        )}{' '}
        {trial.no_data}
        {trial.outside_hours !== undefined && `Now, it would not be evaluated: ${trial.outside_hours}. `}
        {trial.watches_nothing === null && trial.watches !== null && `It watches ${trial.watches}.`}
      </p>
      {subjects.length > 0 && (
        <Table
          caption="Result now"
          columns={toColumns(isMeasured)}
          rows={subjects.slice(0, MOST_GROUPS)}
          keyOf={({ group: subject }) => subject}
        />
      )}
      {subjects.length > MOST_GROUPS && (
        <p>
          Only the first {MOST_GROUPS} of {formatCount(subjects.length)} are shown.
        </p>
      )}
      <h3>{record.heading}</h3>
      <TriedPast trial={trial} record={record} />
    </>
  );
}

function describeNow({ no_data: missing, now }: Result, held: number, noun: string): string {
  if (missing !== null) return 'No data.';
  // Only the orders that meet the condition are reported.
  if (noun === 'order') return `The condition is true for ${countOrders(now)} now.`;
  if (now.length === 1 && now[0]?.group === '')
    return held === 1
      ? 'The condition is true now.'
      : now[0].holds === null
        ? 'Whether the condition is true is unknown.'
        : 'The condition is not true now.';
  const unknown = now.filter(({ holds }) => holds === null).length;
  return (
    `The condition is true for ${held === 0 ? 'none' : formatCount(held)} of ${countOf(now.length, noun)} now` +
    `${unknown === 0 ? '' : `; for ${formatCount(unknown)}, that is unknown`}.`
  );
}

/** The result without an order stands for those that have none of their own. */
function countOrders(now: Result['now']): string {
  const holding = now.filter(({ holds }) => holds === true);
  const own = holding.filter(({ group }) => group !== '').length;
  if (own < holding.length) return `more than ${countOf(own, 'order')}`;
  return own === 0 ? 'no order' : countOf(own, 'order');
}
