import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceOrigin } from '#model/evidence/manifest.ts';
import { recordExport } from '#model/tables/exported-rows.ts';
import { download } from '#page/kit/download.ts';
import { nextTask } from '#page/kit/next-task.ts';
import type { Pause } from './evidence-rows.ts';
import type { EvidenceOffer } from './evidence-offer.ts';
import { makeEvidence } from './make-evidence.ts';
import { zipFiles } from './zip-files.ts';

export type EvidenceState =
  | { readonly is: 'ready' }
  | { readonly is: 'making' }
  | { readonly is: 'failed'; readonly because: string }
  | {
      readonly is: 'saved';
      readonly file: string;
      readonly bytes: number;
      readonly rows: number;
      readonly sha256: string;
    };

interface EvidenceControl {
  readonly state: EvidenceState;
  readonly make: (pseudonyms: boolean) => Promise<void>;
  readonly cancel: () => void;
}

const READY = { is: 'ready' } as const;

/** Makes an evidence file and saves it. Leaving ends it. */
export function useEvidence<Subject extends EvidenceSubject>(offer: EvidenceOffer<Subject>): EvidenceControl {
  const [state, setState] = useState<EvidenceState>(READY);
  const running = useRef<AbortController | null>(null);
  const describe = useOrigin();
  const { now } = useApi();
  useEffect(() => () => running.current?.abort(), []);
  const make = async (pseudonyms: boolean): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setState({ is: 'making' });
    try {
      const origin = { ...(await describe()), title: offer.title, subject: offer.toSubject(), pseudonyms };
      const pause = async (): Promise<void> => {
        await nextTask();
        stop.signal.throwIfAborted();
      };
      const { files, rows } = await makeEvidence({
        ...{ origin, reader: offer.reader, pause, signal: stop.signal, now, hash: (bytes) => hash(bytes, pause) },
        fetch: (target, init) => fetch(target, init),
        timeout: (ms) => AbortSignal.timeout(ms),
      });
      const zip = await zipFiles(files, pause);
      const file = toFileName(offer.title, now());
      await recordExport({ what: file, count: rows });
      download(file, new Blob([zip]), 'application/zip');
      setState({ is: 'saved', file, bytes: zip.length, rows, sha256: await hash(zip, pause) });
    } catch (error) {
      if (!stop.signal.aborted)
        setState({ is: 'failed', because: error instanceof Error ? error.message : String(error) });
    }
  };
  return {
    state,
    make,
    cancel: () => {
      running.current?.abort();
      setState(READY);
    },
  };
}

const BYTES_PER_PIECE = 1 << 18;

/** The browser’s own is missing where the page comes from another machine by plain HTTP. */
async function hash(bytes: Uint8Array, pause: Pause): Promise<string> {
  const sum = sha256.create();
  for (let at = 0; at < bytes.length; at += BYTES_PER_PIECE) {
    sum.update(bytes.subarray(at, at + BYTES_PER_PIECE));
    await pause();
  }
  return bytesToHex(sum.digest());
}

function toFileName(title: string, now: number): string {
  return `evidence-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${new Date(now).toISOString().replaceAll(':', '').slice(0, 17)}Z.zip`;
}

/** Page, desk and exchange that the evidence is of. */
function useOrigin(): () => Promise<Pick<EvidenceOrigin, 'address' | 'versions' | 'exchange'>> {
  const { queries } = useApi();
  const client = useQueryClient();
  return async () => {
    const {
      value: { version = 'unknown', venue },
    } = await client.query({ ...queries.desk.status({}), staleTime: Infinity });
    const { name, env, base_url } = venue;
    return {
      address: location.pathname + location.search,
      versions: { page: namePage(), desk: version },
      exchange: { name, env, base_url },
    };
  };
}

/** The page’s program is named by its content. */
function namePage(): string {
  const source = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  return source === undefined ? 'unknown' : (new URL(source).pathname.split('/').at(-1) ?? 'unknown');
}
