import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useNotLoaded } from './complaint.tsx';
import { LoadError } from './load-error.ts';

export interface LaterComponent<Props> {
  (props: Props): ReactNode;
  /** Fetches its code before it is drawn; it is fetched once. */
  readonly fetch: () => Promise<void>;
}

/**
 * A component whose code is fetched when it is first drawn. React's own way to do it holds what has waited, if only for a
 * microtask, back for 300 ms; this one shows it as soon as it is there. What did not come is thrown, for the boundary
 * around it to tell, and asked for again the next time.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, waiting: ReactNode = null): LaterComponent<Props> {
  const code = fetchOnce(load);
  function Later(props: Props) {
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useFetched(code, (error) => {
      setFailure({ error: new LoadError('The code did not come.', { cause: error }) });
    });
    if (failure !== null) throw failure.error;
    const Component = code.come;
    return Component === null ? waiting : <Component {...props} />;
  }
  return Object.assign(Later, { fetch: code.fetch });
}

interface LaterOverComponent<Props> {
  (props: Props): ReactNode;
  /** Fetches its code where it is likely to be opened next; that it does not come is told when it is. */
  readonly prefetch: () => void;
}

interface Closable {
  readonly close: () => void;
}

/** What opens over a page, later. Where its code does not come it says so and closes: the page below has lost nothing. */
export function laterOver<Props extends Closable>(load: () => Promise<ComponentType<Props>>): LaterOverComponent<Props> {
  const code = fetchOnce(load);
  function LaterOver(props: Props) {
    const notLoaded = useNotLoaded();
    useFetched(code, () => {
      notLoaded();
      props.close();
    });
    const Component = code.come;
    return Component !== null && <Component {...props} />;
  }
  return Object.assign(LaterOver, {
    prefetch: () => {
      code.fetch().catch(() => undefined);
    },
  });
}

interface Code<Props> {
  /** Null until it is here. */
  come: ComponentType<Props> | null;
  readonly fetch: () => Promise<void>;
}

function fetchOnce<Props>(load: () => Promise<ComponentType<Props>>): Code<Props> {
  let coming: Promise<void> | null = null;
  const code: Code<Props> = {
    come: null,
    fetch: () =>
      (coming ??= load().then(
        (component) => {
          code.come = component;
        },
        (error: unknown) => {
          coming = null;
          throw error;
        },
      )),
  };
  return code;
}

/** Draws again once the code has come; `onFailure` hears of it where it does not. */
function useFetched<Props>({ come, fetch }: Code<Props>, onFailure: (error: unknown) => void): void {
  const [, setThere] = useState(come !== null);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    let isShown = true;
    fetch().then(
      () => {
        if (isShown) startTransition(() => {
          setThere(true);
        });
      },
      (error: unknown) => {
        if (isShown) fail(error);
      },
    );
    return () => {
      isShown = false;
    };
  }, [fetch]);
}
