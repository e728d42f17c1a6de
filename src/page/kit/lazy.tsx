import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import { useLoadErrorToast } from './toast.tsx';
import { LoadError } from './error-boundary.tsx';

export interface LazyComponent<Props> {
  (props: Props): ReactNode;
  /** Loads the code, once, ahead of the first render. */
  readonly fetch: () => Promise<void>;
}

/**
 * Creates a component whose code loads at its first render. React.lazy delays anything that had to wait, even for a
 * microtask, by 300 ms; this shows it at once. A failure is thrown to the error boundary, and the next mount tries
 * again.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyComponent<Props> {
  const code = fetchOnce(load);
  function Lazy(props: Props) {
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useFetched(code, (error) => {
      setFailure({ error: new LoadError('The code could not be loaded.', { cause: error }) });
    });
    if (failure !== null) throw failure.error;
    const Component = code.loaded;
    return Component === null ? fallback : <Component {...props} />;
  }
  return Object.assign(Lazy, { fetch: code.fetch });
}

export interface LazyOverlayComponent<Props> {
  (props: Props): ReactNode;
  /** Loads the code ahead of a likely use; a failure is reported only when the overlay opens. */
  readonly prefetch: () => void;
}

interface Closable {
  readonly close: () => void;
}

/**
 * Creates a lazy component that opens over the page. If its code fails to load, it shows a toast and closes; the page
 * below is unaffected.
 */
export function lazyOverlay<Props extends Closable>(
  load: () => Promise<ComponentType<Props>>,
): LazyOverlayComponent<Props> {
  const code = fetchOnce(load);
  function LazyOverlay(props: Props) {
    const showLoadError = useLoadErrorToast();
    useFetched(code, () => {
      showLoadError();
      props.close();
    });
    const Component = code.loaded;
    return Component !== null && <Component {...props} />;
  }
  return Object.assign(LazyOverlay, {
    prefetch: () => {
      code.fetch().catch(() => undefined);
    },
  });
}

/** Lazily loaded code other than a component. */
export interface LazyCode<Loaded> {
  /** Null until it has loaded. */
  readonly code: Loaded | null;
  readonly hasFailed: boolean;
}

/**
 * Creates a hook for code that loads at the first render of a component that wants it and is available at once from then
 * on. If loading fails, it shows a toast, and the next mount tries again.
 */
export function lazyCode<Loaded extends object>(load: () => Promise<Loaded>): (isWanted?: boolean) => LazyCode<Loaded> {
  const code = fetchOnce(load);
  return function useCode(isWanted = true) {
    const showLoadError = useLoadErrorToast();
    const [hasFailed, setFailed] = useState(false);
    useFetched(
      code,
      () => {
        setFailed(true);
        showLoadError();
      },
      isWanted,
    );
    const { loaded } = code;
    return useMemo(() => ({ code: loaded, hasFailed }), [loaded, hasFailed]);
  };
}

interface Code<Loaded> {
  /** Null until loaded. */
  loaded: Loaded | null;
  readonly fetch: () => Promise<void>;
}

function fetchOnce<Loaded>(load: () => Promise<Loaded>): Code<Loaded> {
  let loading: Promise<void> | null = null;
  const code: Code<Loaded> = {
    loaded: null,
    fetch: () =>
      (loading ??= load().then(
        (loaded) => {
          code.loaded = loaded;
        },
        (error: unknown) => {
          loading = null;
          throw error;
        },
      )),
  };
  return code;
}

/** Loads the code, and renders again once it is loaded. */
function useFetched({ loaded, fetch }: Code<unknown>, onFailure: (error: unknown) => void, isWanted = true): void {
  const [, setLoaded] = useState(loaded !== null);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isShown = true;
    fetch().then(
      () => {
        if (isShown)
          startTransition(() => {
            setLoaded(true);
          });
      },
      (error: unknown) => {
        if (isShown) fail(error);
      },
    );
    return () => {
      isShown = false;
    };
  }, [fetch, isWanted]);
}

/** The dialog, loaded at its first use: the code that keeps the focus inside it weighs more than a screen. */
export const LazyDialog = lazyOverlay(async () => (await import('./dialog.tsx')).Dialog);
