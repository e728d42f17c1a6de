import { createContext, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { lazyOverlay } from './lazy.tsx';
import { useAddress } from './navigation.tsx';
import { usePreferences } from './use-preferences.tsx';
import { useRequiredContext } from './use-required-context.ts';
import type { Opening, TooltipContent } from './tooltip.tsx';

interface TooltipControl {
  /** Opens after a pause; closes when the pointer leaves both element and tooltip. Null unless the user enabled it. */
  readonly hover: ((content: TooltipContent) => void) | null;
  readonly leave: () => void;
  /** Opens without taking the focus; closes at the next key or a click outside. */
  readonly peek: (content: TooltipContent) => void;
  /** Closes a tooltip opened by `peek`, because its element now shows something else. */
  readonly unpeek: () => void;
  /** Opens with the focus, until closed. As with `peek`, pressing the explained element once more only closes it. */
  readonly pin: (content: TooltipContent) => void;
}

const TooltipContext = createContext<TooltipControl | null>(null);

/** Loaded with the first tooltip, because its positioning code is large. */
const Tooltip = lazyOverlay(async () => (await import('./tooltip.tsx')).Tooltip);

const SHOW_AFTER_MS = 1_000;
const HIDE_AFTER_MS = 200;

interface Shown extends TooltipContent {
  readonly opening: Opening;
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const isHoverWanted = usePreferences().hoverSources === 'on';
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<number | undefined>(undefined);
  /** The explained element, if a press on it closed the tooltip. */
  const pressed = useRef<Element | null>(null);
  const control = useMemo((): TooltipControl => {
    const schedule = (step: () => void, ms: number): void => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(step, ms);
    };
    const show = (content: TooltipContent, opening: Opening): void => {
      // The element may have left the page while the tooltip was delayed or loading.
      if (content.anchor.isConnected)
        setShown((present) =>
          present !== null && present.opening !== 'hover' && opening === 'hover' ? present : { ...content, opening },
        );
    };
    const open = (content: TooltipContent, opening: Opening): void => {
      window.clearTimeout(timer.current);
      const isClosing = pressed.current === content.anchor;
      pressed.current = null;
      if (!isClosing) show(content, opening);
    };
    const hover = (content: TooltipContent): void => {
      schedule(() => {
        show(content, 'hover');
      }, SHOW_AFTER_MS);
    };
    return {
      hover: isHoverWanted ? hover : null,
      leave: () => {
        schedule(() => {
          setShown((present) => (present?.opening === 'hover' ? null : present));
        }, HIDE_AFTER_MS);
      },
      peek: (content) => {
        open(content, 'peek');
      },
      unpeek: () => {
        setShown((present) => (present?.opening === 'peek' ? null : present));
      },
      pin: (content) => {
        open(content, 'pin');
      },
    };
  }, [isHoverWanted]);
  const stay = (): void => {
    window.clearTimeout(timer.current);
  };
  const close = (pressedOn: Element | null = null): void => {
    stay();
    pressed.current = pressedOn !== null && shown?.anchor.contains(pressedOn) === true ? shown.anchor : null;
    setShown(null);
  };
  const dismiss = (): void => {
    close();
  };
  useOnRemoved(shown?.anchor ?? null, dismiss);
  useLeftScreen(dismiss);
  return (
    <TooltipContext value={control}>
      {children}
      {shown !== null && <Tooltip {...shown} stay={stay} leave={control.leave} close={close} />}
    </TooltipContext>
  );
}

/** Calls back when the user leaves the screen: a tooltip belongs to one, even if the next reuses the element. */
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
