import { useState } from 'react';
import { useAccessApi } from '#api/react/use-access-api.ts';
import type { DeskCalls } from '#api/create-api.ts';
import type { ACCESS_ENDPOINTS, AuditEnds, AuditEntry, DeskAudit } from '#contract/desk-access.ts';
import type { Cursor } from '#contract/paging.ts';
import { countOf, formatCount } from '#domain/format/count.ts';
import { ActionError } from '#panels/action-error.tsx';
import { download } from '#ui/download.ts';
import { recordExport } from '#ui/exported-rows.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { findBreak, hashInBrowser, toJsonLines } from './check-chain.ts';
import styles from '../access.module.css';

const LARGEST_PAGE = 1_000;

interface Progress {
  readonly read: number;
  readonly result: string | null;
  readonly isBroken: boolean;
}

/** Reads the whole log, checks its chain, and saves it where that is wanted. */
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
      const { entries, anchor, head } = await readAll(calls, (read) => { setProgress({ read, result: null, isBroken: false }); });
      const broken = await findBreak(entries, anchor, hashInBrowser);
      if (isSaved) await save(toJsonLines(entries, { anchor, head }), entries.length);
      setProgress({ read: entries.length, result: describeCheck(entries, broken), isBroken: broken !== null });
    } catch (cause) {
      setProgress(null);
      setError(cause instanceof Error ? cause : new Error('The audit log could not be read.', { cause }));
    }
  };
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => { if (!isBusy) void run(false); }}>
        Check chain
      </button>
      <button type="button" aria-disabled={isBusy} onClick={() => { if (!isBusy) void run(true); }}>
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

async function readAll(calls: Pick<DeskCalls<typeof ACCESS_ENDPOINTS>, 'audit'>, onRead: (count: number) => void): Promise<AuditEnds & { readonly entries: readonly AuditEntry[] }> {
  const pages: (readonly AuditEntry[])[] = [];
  let ends: AuditEnds | null = null;
  let cursor: Cursor | null = null;
  do {
    const { value }: { value: DeskAudit } = await calls.audit({ limit: LARGEST_PAGE, ...(cursor !== null && { cursor }) });
    ends ??= { anchor: value.anchor, head: value.head };
    pages.push(value.entries);
    onRead(pages.reduce((sum, page) => sum + page.length, 0));
    cursor = value.pagination.cursor === undefined || value.pagination.cursor === '' ? null : value.pagination.cursor;
  } while (cursor !== null);
  const { anchor, head } = ends;
  // What was written meanwhile, or dropped, is left out.
  return { anchor, head, entries: pages.flat().filter(({ number }) => number > anchor.number && number <= head.number).toReversed() };
}

function describeCheck(entries: readonly AuditEntry[], broken: AuditEntry | null): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return 'There are no entries yet.';
  if (broken !== null) return `The chain is broken at entry ${formatCount(broken.number)}: it does not match the entry before it. One of the two was changed, or entries between them are missing.`;
  return `The chain is unbroken from entry ${formatCount(first.number)} to ${formatCount(last.number)}.`;
}
