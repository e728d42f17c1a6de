import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';

interface RecordedResponse {
  readonly target: string;
  readonly body: string;
}

interface RecordedResponses {
  readonly stoppedAt: string;
  /** How long the machine had been up when the previous version stopped. */
  readonly uptimeMs: number;
  readonly venueId: string;
  readonly connectionId: string;
  readonly used: { readonly used: number; readonly by_purpose: Readonly<Record<string, number>> };
  readonly settled: RecordedResponse;
  readonly funding: RecordedResponse;
  readonly fundingReads: readonly (readonly [symbol: string, prints: number, reads: number])[];
  readonly estimates: RecordedResponse;
  /** The settings of the exchange, without trading. */
  readonly venue: readonly (RecordedResponse & { readonly signed: boolean })[];
  readonly products: readonly (readonly [id: number, symbol: string])[];
}

const here = import.meta.dirname;

/** What the previous version returned from this data folder. */
export const recorded = JSON.parse(readFileSync(join(here, 'responses.json'), 'utf8')) as RecordedResponses;

/** Copies the data folder of the previous version. */
export function restoreDataFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'perpdesk-earlier-'));
  restore(join(path, 'gateway.sqlite'), readFileSync(join(here, 'gateway.sql'), 'utf8'));
  restore(join(path, 'venue.sqlite'), brotliDecompressSync(readFileSync(join(here, 'venue.sql.br'))).toString());
  writeFileSync(join(path, 'venue-credential'), readFileSync(join(here, 'venue-credential')), { mode: 0o600 });
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true });
    },
  };
}

function restore(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
