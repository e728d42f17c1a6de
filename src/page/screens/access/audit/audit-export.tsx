import { useState } from 'react';
import { useAccessApi } from '#page/client/react/use-access-api.ts';
import { describeUncleanStops } from '#contract/desk/audit-chain.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { ActionError } from '#page/panels/action-error.tsx';
import { download } from '#page/kit/download.ts';
import { recordExport } from '#model/tables/exported-rows.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { readLog, toJsonLines, type WholeLog } from './audit-log.ts';
import styles from '../shared/access.module.css';

interface Progress {
  readonly read: number;
  readonly result: string | null;
  readonly isBroken: boolean;
}

/** Reads the whole audit log, checks its chain, and saves it on request. */
export function AuditExport() {
  const { calls } = useAccessApi();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useAnnounced(progress?.result ?? null);
  const isBusy = progress !== null && progress.result === null;
  const run = async (isSaved: boolean): Promise<void> => {
    setError(null);
    setProgress({ read: 0, result: null, isBroken: false });
    try {
      const log = await readLog(calls, (read) => {
        setProgress({ read, result: null, isBroken: false });
      });
      if (isSaved) await save(toJsonLines(log.entries, log), log.entries.length);
      setProgress({ read: log.entries.length, result: describeCheck(log), isBroken: log.problem !== null });
    } catch (cause) {
      setProgress(null);
      setError(cause instanceof Error ? cause : new Error('The audit log could not be read.', { cause }));
    }
  };
  return (
    <>
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) void run(false);
        }}
      >
        Check chain
      </button>
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) void run(true);
        }}
      >
        Export JSON lines
      </button>
      {progress !== null && (
        <span className={styles['outcome']} data-broken={progress.isBroken}>
          {progress.result ?? `Reading… ${countOf(progress.read, 'row')}`}
        </span>
      )}
      <ActionError error={error} />
    </>
  );
}

async function save(lines: string, count: number): Promise<void> {
  const name = `audit-${new Date().toISOString().replaceAll(':', '').slice(0, 17)}Z.jsonl`;
  await recordExport({ what: name, count });
  download(name, lines, 'application/jsonl');
}

function describeCheck({ entries, problem, uncleanStops }: WholeLog): string {
  if (problem !== null) return `The chain is broken. ${problem}`;
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return 'There are no entries yet.';
  return [
    `The chain is unbroken from entry ${formatCount(first.number)} to ${formatCount(last.number)}.`,
    describeUncleanStops(uncleanStops),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}
