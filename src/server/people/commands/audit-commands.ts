import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { checkChain, findAdded, type ChainedEntry, type ChainResult } from '#contract/desk/audit-chain.ts';
import type { AuditEnds } from '#contract/desk/access.ts';
import { parseHeadLine, parseLine, toHeadLine, toLine } from '../audit/audit-file.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import { sha256 } from '../audit/chain.ts';

/** The log, wherever it is read: in the store, or from a Perpdesk that runs. */
export type AuditSource = Pick<AuditStore, 'ends' | 'after'>;

export const AUDIT_USAGE = `Usage:
  audit check          finds entries that were changed, removed, added or moved
  audit check FILE     does the same for a file from "audit export"
  audit export FILE    writes all entries as JSON lines to a new file`;

const PAGE = 1_000;

/** All of one moment: what is written meanwhile is left out. */
async function* readEntries({ after }: AuditSource, { anchor, head }: AuditEnds): AsyncGenerator<ChainedEntry> {
  let last = anchor.number;
  while (last < head.number) {
    const page = (await after(last, PAGE)).filter(({ number }) => number <= head.number);
    yield* page;
    const newest = page.at(-1)?.number ?? last;
    if (newest === last) return;
    last = newest;
  }
}

export async function checkAudit(source: AuditSource): Promise<ChainResult> {
  const ends = await source.ends();
  const result = await checkChain(ends, readEntries(source, ends), sha256);
  if (result.problem !== null) return result;
  const [further] = await source.after(ends.head.number, 1);
  return { ...result, problem: further === undefined ? null : findAdded(further, (await source.ends()).head) };
}

/** Throws if the file is no export. */
export async function checkAuditFile(path: string): Promise<ChainResult> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })[Symbol.asyncIterator]();
  const first = await lines.next();
  const ends = first.done === true ? null : parseHeadLine(first.value);
  if (ends === null) throw new Error(`${path} is not an audit log from "audit export" or the Audit screen.`);
  return checkChain(ends, parseEntries({ [Symbol.asyncIterator]: () => lines }), sha256);
}

async function* parseEntries(lines: AsyncIterable<string>): AsyncGenerator<ChainedEntry | null> {
  for await (const line of lines) yield parseLine(line);
}

/** Returns how many entries it has written. An existing file is not replaced. */
export async function exportAudit(source: AuditSource, path: string): Promise<number> {
  const ends = await source.ends();
  const file = await open(path, 'wx', 0o600);
  try {
    await file.write(`${toHeadLine(ends)}\n`);
    let count = 0;
    let lines: readonly string[] = [];
    const writeLines = async (): Promise<void> => {
      if (lines.length > 0) await file.write(`${lines.join('\n')}\n`);
      count += lines.length;
      lines = [];
    };
    for await (const entry of readEntries(source, ends)) {
      lines = [...lines, toLine(entry)];
      if (lines.length >= PAGE) await writeLines();
    }
    await writeLines();
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}
