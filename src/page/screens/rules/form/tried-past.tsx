import type { RuleTrial } from '#contract/desk/alerts.ts';
import { formatCount } from '#model/format/count.ts';
import { describeFirings, describeUnread } from '#model/rules/rule-sentence.ts';
import { Table, type Column } from '#page/kit/table.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { TrialLine } from './trial-line.tsx';

const COLUMNS: readonly Column<RuleTrial['firings'][number]>[] = [
  { name: 'Fired', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'Resolved', cell: ({ resolved_at: at }) => (at === null ? 'not by the end' : <Timestamp at={at} />) },
  { name: 'Of', cell: ({ group }) => (group === '' ? 'all' : group) },
  { name: 'Value', numeric: true, cell: ({ value }) => value ?? '–' },
];

const MOST_FIRINGS = 100;

/** When the rule would have fired, as a sentence, a line and a list. */
export function TriedPast({
  trial: { not_tried: reason, tried_from: from, tried_to: to, firings, gaps: unread },
}: {
  readonly trial: RuleTrial;
}) {
  if (reason !== null || from === null || to === null) return <p>Not tried. {reason}</p>;
  const span = { from: Date.parse(from), to: Date.parse(to) };
  const gaps = unread.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) }));
  return (
    <>
      <p>
        In {formatDuration((span.to - span.from) / 1_000)}, <strong>{describeFirings(firings.length)}</strong>: from{' '}
        <Timestamp at={from} /> to <Timestamp at={to} />, as far as the journal shows.{' '}
        {describeUnread(gaps, formatDuration)}
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
          columns={COLUMNS}
          rows={firings.slice(0, MOST_FIRINGS)}
          keyOf={({ at, group }) => `${at} ${group}`}
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
