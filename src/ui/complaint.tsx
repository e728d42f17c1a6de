import { createContext, use, useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './complaint.module.css';
import { useAnnounce } from './live-region.tsx';
import { NOT_LOADED } from './load-error.ts';

const ComplaintContext = createContext<(text: string) => void>(() => undefined);

/** Where what somebody wanted did not happen, and nothing on the page would show it: said to all, until it has been read. */
export function Complaints({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState<string | null>(null);
  const announce = useAnnounce();
  const complain = useCallback(
    (why: string) => {
      setText(why);
      announce(why);
    },
    [announce],
  );
  return (
    <ComplaintContext value={complain}>
      {children}
      {text !== null && (
        <p className={styles['complaint']}>
          <span>{text}</span>
          <button
            type="button"
            onClick={() => {
              setText(null);
            }}
          >
            Close
          </button>
        </p>
      )}
    </ComplaintContext>
  );
}

/** For code that is fetched when it is wanted, and does not come. */
export function useNotLoaded(): () => void {
  const complain = use(ComplaintContext);
  return useCallback(() => {
    complain(NOT_LOADED);
  }, [complain]);
}
