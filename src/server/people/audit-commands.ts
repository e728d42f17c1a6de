import { type ChainedEntry, type ChainResult, checkChain, findAdded, type Link } from '#contract/desk/audit-chain.ts';
import { AUDIT_FORMAT, type AuditEnds } from '#contract/desk/access.ts';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { toLine } from './audit/audit-lines.ts';
import { type AuditStore, sha256 } from './audit/audit-store.ts';

/** The log, in the store or of a running Perpdesk. */
export type AuditSource = Pick<AuditStore, 'ends' | 'after'>;

const PAGE = 1_000;

/** Yields the entries of one moment. Entries written during the read are omitted. */
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

/** Throws if the file is not an exported log. */
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

/** What an export wrote. */
export interface Exported {
  /** The link before the first written entry. */
  readonly anchor: Link;
  readonly head: Link;
}

/**
 * Writes all entries after a number, as far as they are kept, to a new file. Does not replace an existing file. The
 * file can be checked alone: it begins with the link before its first entry.
 */
export async function exportAudit(source: AuditSource, path: string, after = 0): Promise<Exported> {
  const all = await source.ends();
  if (after > all.head.number)
    throw new Error(`There is no entry ${String(after)} yet: the newest one is ${String(all.head.number)}.`);
  const ends = { ...all, anchor: after > all.anchor.number ? await linkOf(source, after) : all.anchor };
  const file = await open(path, 'wx', 0o600);
  try {
    await file.write(`${toHeadLine(ends)}\n`);
    let lines: readonly string[] = [];
    const writeLines = async (): Promise<void> => {
      if (lines.length > 0) await file.write(`${lines.join('\n')}\n`);
      lines = [];
    };
    for await (const entry of readEntries(source, ends)) {
      lines = [...lines, toLine(entry)];
      if (lines.length >= PAGE) await writeLines();
    }
    await writeLines();
    await file.sync();
    return ends;
  } finally {
    await file.close();
  }
}

async function linkOf({ after }: AuditSource, number: number): Promise<Link> {
  const [entry] = await after(number - 1, 1);
  if (entry?.number !== number) throw new Error(`Entry ${String(number)} is missing: check the log first.`);
  return { number, hash: entry.hash };
}

/**
 * Returns the first line of an exported log: JSON with both ends of the chain. One line per entry follows, oldest
 * first.
 *
 * @internal Exported for its test.
 */
export function toHeadLine({ anchor, head }: AuditEnds): string {
  return JSON.stringify({ format: AUDIT_FORMAT, anchor, head });
}

/**
 * Returns null if the line does not begin an exported log.
 *
 * @internal Exported for its test.
 */
export function parseHeadLine(line: string): AuditEnds | null {
  const { format, anchor, head } = (parseObject(line) ?? {}) as {
    readonly format?: unknown;
    readonly anchor?: unknown;
    readonly head?: unknown;
  };
  return format === AUDIT_FORMAT && isLink(anchor) && isLink(head) ? { anchor, head } : null;
}

/**
 * Returns null if the line is not an entry.
 *
 * @internal Exported for its test.
 */
export function parseLine(line: string): ChainedEntry | null {
  const parsed = parseObject(line);
  if (parsed === null) return null;
  const { hash, ...fields } = parsed;
  const { number, who, kind } = fields;
  if (typeof hash !== 'string' || typeof number !== 'number' || typeof who !== 'string' || typeof kind !== 'string')
    return null;
  return { number, who, kind, body: JSON.stringify(fields), hash };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false;
  const { number, hash } = value as { readonly number?: unknown; readonly hash?: unknown };
  return typeof number === 'number' && typeof hash === 'string';
}
