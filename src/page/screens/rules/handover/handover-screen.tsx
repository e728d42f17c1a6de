import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { formatInstant as toInstantText, isInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { formatInstant } from '#model/format/format-time.ts';
import {
  describeCare,
  describeFailed,
  describeGaps,
  describeLater,
  describeOpen,
  describeSilences,
  type Handover,
  lengthOf,
  toHandover,
  writeHandover,
} from '#model/rules/handover.ts';
import { parseTime } from '#model/time/written-time.ts';
import { download } from '#page/kit/download.ts';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useToast } from '#page/kit/toast.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { SeverityMark } from '../alerts/alert-facts.tsx';
import { describeMatch } from '../alerts/silences.tsx';
import { fromParam, toParam } from './handover-address.ts';
import styles from './handover.module.css';

const SHIFT_MS = 8 * 3_600_000;
/** The most deliveries that one page of the log has. */
const MOST_DELIVERIES = 1_000;

/** What one shift leaves to the next: open alerts, silences that end soon, and what went wrong. */
export function HandoverScreen() {
  const shift = useShift();
  const [from, to] = [Date.parse(shift.from), Date.parse(shift.to)];
  const { queries } = useRulesApi();
  const { queries: ofDesk } = useApi();
  const query = useQuery(queries.alerts());
  const journal = useQuery(ofDesk.desk.journal({ begin_time: shift.from, end_time: shift.to }));
  const calls = useQuery(ofDesk.desk.callDeliveries({ limit: MOST_DELIVERIES }));
  const [zone] = useZone();
  const showToast = useToast();
  const handover =
    query.data === undefined
      ? null
      : toHandover({
          ...{ from, to, alerts: query.data.value },
          gaps: journal.data?.value.gaps ?? null,
          deliveries: calls.data?.value.deliveries ?? null,
        });
  const text = handover === null ? '' : writeHandover(handover, describeMatch, zone);
  return (
    <div className={styles['handover']}>
      <Toolbar
        title="Handover"
        aside={
          <span className={styles['tools']}>
            <button
              type="button"
              disabled={handover === null}
              onClick={() => {
                navigator.clipboard.writeText(text).then(
                  () => {
                    showToast('The handover is copied as text.');
                  },
                  // Browsers offer the clipboard only over https or on this machine.
                  () => {
                    download('handover.txt', text, 'text/plain');
                  },
                );
              }}
            >
              Copy as text
            </button>
            <button
              type="button"
              onClick={() => {
                print();
              }}
            >
              Print
            </button>
            <Link to="/rules">All alerts</Link>
          </span>
        }
      >
        <TimeField label="From" value={shift.from} onChange={shift.setFrom} />
        <TimeField label="To" value={shift.to} onChange={shift.setTo} />
      </Toolbar>
      <p className={styles['period']}>
        {formatInstant(from, zone)} to {formatInstant(to, zone)}
      </p>
      <Panel title="Alerts and silences" query={query} everySeconds={RULE_ENDPOINTS.alerts.reuseSeconds}>
        {() => handover !== null && <Open handover={handover} />}
      </Panel>
      {handover !== null && <Failures handover={handover} isCut={isCut(calls.data?.value, from)} />}
    </div>
  );
}

/** Whether there are older deliveries of the shift than those that were read. */
function isCut(read: { readonly deliveries: readonly { readonly at: string }[] } | undefined, from: number): boolean {
  return read?.deliveries.length === MOST_DELIVERIES && Date.parse(read.deliveries.at(-1)?.at ?? '') >= from;
}

/** The shift is the last eight hours until it is chosen. The address always names it, so that a link shows the same. */
function useShift() {
  const { now } = useApi();
  const [openedAt] = useState(now);
  const [from, setFrom] = useUrlState(fromParam);
  const [to, setTo] = useUrlState(toParam);
  const toText = (ms: number) => toInstantText(toEpochNanos(Math.floor(ms / 60_000) * 60_000), 0);
  const end = isInstant(to) ? to : toText(openedAt);
  const start = isInstant(from) && Date.parse(from) < Date.parse(end) ? from : toText(Date.parse(end) - SHIFT_MS);
  useEffect(() => {
    if (from !== start) setFrom(start);
    if (to !== end) setTo(end);
  }, [from, start, setFrom, to, end, setTo]);
  return { from: start, to: end, setFrom, setTo };
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (instant: string) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  const shown = value.slice(0, 16).replace('T', ' ');
  const [edited, edit, drop] = useDraft<string>(shown);
  const parsed = edited === null ? value : parseTime(edited);
  return (
    <label className={styles['time']}>
      {label}
      <input
        type="text"
        aria-invalid={parsed === null}
        value={edited ?? shown}
        onChange={({ target }) => {
          edit(target.value);
        }}
        onBlur={() => {
          if (parsed !== null) onChange(parsed);
          drop();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && parsed !== null) onChange(parsed);
        }}
      />
      UTC
    </label>
  );
}

function Open({ handover: { note, open, silences, laterSilences } }: { readonly handover: Handover }) {
  return (
    <>
      {note !== null && (
        <Part title="Shift note">
          <li>
            {note.text}{' '}
            <span className={styles['by']}>
              {note.by}, <Timestamp at={note.at} />
            </span>
          </li>
        </Part>
      )}
      <Part title={describeOpen(open)}>
        {open.map((alert) => (
          <li key={`${alert.rule_id}\n${alert.group}`} className={styles['alert']}>
            <SeverityMark severity={alert.severity} isQuiet={alert.state !== 'firing'} />
            <span>
              {alert.sentence}{' '}
              <span className={styles['by']}>
                {alert.state} since <Timestamp at={alert.since} />
              </span>
              {describeCare(alert) !== '' && <span className={styles['care']}>{describeCare(alert)}</span>}
            </span>
          </li>
        ))}
      </Part>
      <Part title={describeSilences({ silences })}>
        {silences.map(({ id, match, until, by, note: reason }) => (
          <li key={id}>
            {describeMatch(match)} until <Timestamp at={until} />{' '}
            <span className={styles['by']}>
              {by}
              {reason !== '' && `: “${reason}”`}
            </span>
          </li>
        ))}
        {laterSilences > 0 && <li>{describeLater(laterSilences)}</li>}
      </Part>
    </>
  );
}

function Failures({
  handover: { gaps, failed },
  isCut: isPart,
}: {
  readonly handover: Handover;
  readonly isCut: boolean;
}) {
  return (
    <>
      <Part title={describeGaps(gaps)}>
        {(gaps ?? []).map((gap) => (
          <li key={gap.from}>
            <Timestamp at={gap.from} /> to <Timestamp at={gap.to} />, {lengthOf(gap)}
          </li>
        ))}
      </Part>
      <Part title={describeFailed(failed)}>
        {(failed ?? []).map(({ number, at, channel, outcome, summary, reason }) => (
          <li key={number}>
            <Timestamp at={at} /> {channel}, {outcome}: {summary}{' '}
            {reason !== '' && <span className={styles['by']}>{reason}</span>}
          </li>
        ))}
        {isPart && <li>Only the newest 1,000 deliveries were read: there may be more.</li>}
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}
