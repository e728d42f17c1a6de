import { createContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { lazyOverlay } from '../lazy.tsx';
import { useAddress } from '../navigation/navigation.tsx';
import { useRequiredContext } from '../use-required-context.ts';
import type { TooltipContent } from './tooltip.tsx';

interface TooltipControl {
  /** Shows after a short delay; hides when the pointer leaves both the element and the tooltip. */
  readonly hover: (content: TooltipContent) => void;
  readonly leave: () => void;
  /** Stays open, with the focus, until closed. */
  readonly pin: (content: TooltipContent) => void;
}

const TooltipContext = createContext<TooltipControl | null>(null);

/** Positioning code is loaded with the first tooltip. */
const Tooltip = lazyOverlay(async () => (await import('./tooltip.tsx')).Tooltip);

const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 200;

interface Shown extends TooltipContent {
  readonly pinned: boolean;
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const control = useMemo((): TooltipControl => {
    const schedule = (step: () => void, ms: number): void => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(step, ms);
    };
    const show = (content: TooltipContent, pinned: boolean): void => {
      // The element may have left the page while the tooltip was delayed or loading.
      if (content.anchor.isConnected) setShown((present) => (present?.pinned === true && !pinned ? present : { ...content, pinned }));
    };
    return {
      hover: (content) => {
        schedule(() => {
          show(content, false);
        }, SHOW_AFTER_MS);
      },
      leave: () => {
        schedule(() => {
          setShown((present) => (present?.pinned === true ? present : null));
        }, HIDE_AFTER_MS);
      },
      pin: (content) => {
        window.clearTimeout(timer.current);
        show(content, true);
      },
    };
  }, []);
  const stay = (): void => {
    window.clearTimeout(timer.current);
  };
  const close = (): void => {
    stay();
    setShown(null);
  };
  useOnRemoved(shown?.anchor ?? null, close);
  useLeftScreen(close);
  return (
    <TooltipContext value={control}>
      {children}
      {shown !== null && <Tooltip {...shown} stay={stay} leave={control.leave} close={close} />}
    </TooltipContext>
  );
}

/** A tooltip belongs to one screen, even where the next screen reuses the element. */
function useLeftScreen(onLeave: () => void): void {
  const { path } = useAddress();
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    leave();
  }, [path]);
}

export function useTooltip(): TooltipControl {
  return useRequiredContext(TooltipContext, 'tooltips');
}

/** Calls back when an element has left the page, for which there is no event. */
function useOnRemoved(element: Element | null, onRemoved: () => void): void {
  const notify = useEffectEvent(onRemoved);
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new MutationObserver(() => {
      if (!element.isConnected) notify();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
    };
  }, [element]);
}
