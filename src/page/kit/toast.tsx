import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { useAnnounce } from './live-region.tsx';
import { LOAD_ADVICE } from './error-boundary.tsx';
import styles from './toast.module.css';

const ToastContext = createContext<(text: string) => void>(() => undefined);

/** A toast is for a failed action that leaves no other trace on the page; it stays until it is closed. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState<string | null>(null);
  const announce = useAnnounce();
  const showToast = useCallback(
    (next: string) => {
      setText(next);
      announce(next);
    },
    [announce],
  );
  return (
    <ToastContext value={showToast}>
      {children}
      {text !== null && (
        <p className={styles['toast']}>
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
    </ToastContext>
  );
}

export function useToast(): (text: string) => void {
  return use(ToastContext);
}

/** Returns a function that reports code that failed to load on demand. */
export function useLoadErrorToast(): () => void {
  const showToast = useToast();
  return useCallback(() => {
    showToast(`This could not be loaded. ${LOAD_ADVICE}`);
  }, [showToast]);
}
