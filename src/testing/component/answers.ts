import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The response of Perpdesk to one request. */
export interface RecordedAnswer {
  /** The path and query of the request. */
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const FILE = join(import.meta.dirname, 'answers.json');
/**
 * The headers that the page reads, except for the tag of a body, which names the port that another start would not
 * have.
 */
const HEADERS = ['content-type', 'desk-answered-at', 'desk-venue-time', 'age', 'cache-status', 'retry-after'];

export function readAnswers(): readonly RecordedAnswer[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedAnswer[];
}

export function writeAnswers(answers: readonly RecordedAnswer[]): void {
  writeFileSync(FILE, `[\n${answers.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
}

export async function fetchAnswer(address: string, target: string): Promise<RecordedAnswer> {
  const response = await fetch(new URL(target, address));
  const headers = Object.fromEntries([...response.headers].filter(([name]) => HEADERS.includes(name)));
  // These texts differ from start to start.
  const text = (await response.text())
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
    .replaceAll(/(?<=perpdesk-recorded-)\w+/g, '')
    .replaceAll(/(?<="instance":")[^"]+/g, 'r1');
  return { target, status: response.status, headers, text };
}
