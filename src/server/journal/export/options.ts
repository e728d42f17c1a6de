import { parseArgs } from 'node:util';
import { isInstant } from '#contract/exchange/instant.ts';
import { isLoopback } from '#server/core/network.ts';

export const USAGE = `perpdesk export-journal FILE [options] (in the repository: npm run export:journal -- FILE [options])
  FILE                 the Parquet file to write; it must not exist
  --desk <url>         a Perpdesk that is running (http://127.0.0.1:8080)
  --token-file <file>  an API token, where people sign in; only its owner may have access to the file
  --begin <instant>    only readings at or after this time, such as 2026-11-26T00:00:00Z
  --end <instant>      only readings before this time`;

export interface ExportOptions {
  readonly file: string;
  readonly desk: URL;
  readonly tokenFile: string | null;
  readonly begin: string | null;
  readonly end: string | null;
}

/** Or a sentence that says what is wrong with them. */
export function readOptions(args: readonly string[]): ExportOptions | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'desk': { type: 'string' },
        'token-file': { type: 'string' },
        'begin': { type: 'string' },
        'end': { type: 'string' },
      },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return 'Name one file to write.';
    const {
      'desk': address = 'http://127.0.0.1:8080',
      'token-file': tokenFile = null,
      begin = null,
      end = null,
    } = values;
    const desk = toDesk(address, tokenFile !== null);
    return typeof desk === 'string' ? desk : (findWrongTime(begin, end) ?? { file, desk, tokenFile, begin, end });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toDesk(address: string, hasToken: boolean): URL | string {
  const desk = URL.parse(address);
  if (desk === null || !/^https?:$/.test(desk.protocol))
    return `--desk is "${address}", but must be an address such as http://127.0.0.1:8080.`;
  const isReadable = desk.protocol === 'http:' && !isLoopback(desk.hostname.replace(/^\[|\]$/g, ''));
  return hasToken && isReadable ? `--desk is "${address}": a token is sent to another machine only by https.` : desk;
}

function findWrongTime(begin: string | null, end: string | null): string | null {
  const wrong = Object.entries({ begin, end }).find(([, instant]) => instant !== null && !isInstant(instant));
  if (wrong !== undefined)
    return `--${wrong[0]} is "${String(wrong[1])}", but must be a time in UTC such as 2026-11-26T00:00:00Z.`;
  return begin !== null && end !== null && Date.parse(begin) >= Date.parse(end)
    ? '--begin must be before --end.'
    : null;
}
