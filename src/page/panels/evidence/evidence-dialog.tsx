import { useState } from 'react';
import type { EvidenceSubject } from '#model/evidence/evidence.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from './evidence.module.css';
import type { EvidenceOffer } from './evidence-offer.ts';
import { useEvidence, type EvidenceState } from './use-evidence.ts';

interface EvidenceDialogProps<Subject extends EvidenceSubject> {
  readonly offer: EvidenceOffer<Subject>;
  readonly close: () => void;
}

/** Makes a zip of the rows on screen, the answers they were computed from, and what shows that none is missing. */
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
        {rows === 0 ? 'Nothing matches, so the file has no rows, only answers and proof. ' : ''}Saved <b>{file}</b>:{' '}
        {countOf(rows, 'row')}, {formatCount(Math.ceil(bytes / 1_024))} KB.
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
