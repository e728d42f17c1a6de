import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceOrigin } from '#model/evidence/evidence-files.ts';
import { recordExport } from '#model/tables/exported-rows.ts';
import { download } from '#page/kit/download.ts';
import { nextTask } from '#page/kit/next-task.ts';
import type { Pause } from './evidence-rows.ts';
import { type EvidenceOffer, makeEvidence, zipFiles } from './make-evidence.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from './evidence.module.css';

type EvidenceState =
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

/** Makes an evidence file and saves it. Leaving the dialog cancels it. */
function useEvidence<Subject extends EvidenceSubject>(offer: EvidenceOffer<Subject>): EvidenceControl {
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

/** Computes a SHA-256. The browser’s own is missing if the page was loaded from another machine by plain HTTP. */
async function hash(bytes: Uint8Array, pause: Pause): Promise<string> {
  const sum = sha256.create();
  for (let at = 0; at < bytes.length; at += BYTES_PER_PIECE) {
    sum.update(bytes.subarray(at, at + BYTES_PER_PIECE));
    await pause();
  }
  return bytesToHex(sum.digest());
}

function toFileName(title: string, now: number): string {
  const at = new Date(now).toISOString().replaceAll(':', '').slice(0, 17);
  return `evidence-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${at}Z.zip`;
}

/** Returns a function that describes the page, the server and the exchange that the evidence comes from. */
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

/** Returns the file name of the page’s program, which is derived from its content. */
function namePage(): string {
  const source = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  return source === undefined ? 'unknown' : (new URL(source).pathname.split('/').at(-1) ?? 'unknown');
}

interface EvidenceDialogProps<Subject extends EvidenceSubject> {
  readonly offer: EvidenceOffer<Subject>;
  readonly close: () => void;
}

/**
 * A dialog that makes a zip of the rows on screen, the responses they were computed from, and proof that none is
 * missing.
 */
export function EvidenceDialog<Subject extends EvidenceSubject>({ offer, close }: EvidenceDialogProps<Subject>) {
  const [pseudonyms, setPseudonyms] = useState(false);
  const [isAgreed, setAgreed] = useState(false);
  const { contents } = offer;
  const unshown = contents?.unshown ?? null;
  const { state, make, cancel } = useEvidence(offer);
  useAnnounced(toAnnouncement(state), state.is === 'failed');
  const start = (): void => {
    void make(pseudonyms);
  };
  return (
    <LazyDialog title={`Evidence: ${offer.title}`} close={close}>
      <div className={styles['body']}>
        {state.is === 'saved' ? (
          <Saved {...state} close={close} />
        ) : (
          <>
            <p>
              One zip with the rows in the order of the screen, the answers that they follow from, the proof of
              completeness, every conversion, and the SHA-256 of each file.
            </p>
            <p className={styles['quiet']}>
              {offer.reads} Rows and answers then belong together; figures may be newer than those on screen.
            </p>
            {contents !== null && <Pseudonyms isOn={pseudonyms} set={setPseudonyms} isFixed={state.is === 'making'} />}
            {contents !== null && <p>{contents.describe(pseudonyms)}</p>}
            {unshown !== null && (
              <label>
                <input
                  type="checkbox"
                  checked={isAgreed}
                  disabled={state.is === 'making'}
                  onChange={({ target }) => {
                    setAgreed(target.checked);
                  }}
                />{' '}
                Save the {unshown} that are not shown, too
              </label>
            )}
            {state.is === 'failed' && (
              <p>
                <strong>No file was made.</strong> {state.because}
              </p>
            )}
            {state.is === 'making' ? (
              <>
                <progress aria-label="Making evidence" />
                <button type="button" onClick={cancel}>
                  Cancel
                </button>
              </>
            ) : (
              <button type="button" disabled={unshown !== null && !isAgreed} onClick={start}>
                {state.is === 'failed' ? 'Try again' : 'Save evidence'}
              </button>
            )}
          </>
        )}
      </div>
    </LazyDialog>
  );
}

interface PseudonymsProps {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
  readonly isFixed: boolean;
}

function Pseudonyms({ isOn, set, isFixed }: PseudonymsProps) {
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          disabled={isFixed}
          onChange={({ target }) => {
            set(target.checked);
          }}
        />{' '}
        Replace codes of accounts, firms and connections by pseudonyms
      </label>
      {isOn && (
        <p className={styles['quiet']}>
          The same pseudonyms in all files of this Perpdesk, which alone can resolve them. The answers are then not byte
          for byte as received.
        </p>
      )}
    </>
  );
}

type SavedState = Extract<EvidenceState, { readonly is: 'saved' }>;

function Saved({ file, bytes, rows, sha256, close }: SavedState & { readonly close: () => void }) {
  return (
    <>
      <p>
        {rows === 0 && 'Nothing matches, so the file has no rows, only answers and proof. '}
        Saved <b>{file}</b>: {countOf(rows, 'row')}, {formatCount(Math.ceil(bytes / 1_024))} KB.
      </p>
      <p className={styles['quiet']}>Its SHA-256. Keep it where others cannot change it: the file is not signed.</p>
      <code className={styles['sum']}>{sha256}</code>
      <p className={styles['quiet']}>
        Check it with <code>npm run evidence -- check {file}</code>
      </p>
      <button type="button" onClick={close}>
        Done
      </button>
    </>
  );
}

function toAnnouncement(state: EvidenceState): string | null {
  if (state.is === 'making') return 'Making evidence.';
  if (state.is === 'failed') return `No file was made. ${state.because}`;
  return state.is === 'saved' ? `Saved ${state.file}.` : null;
}
