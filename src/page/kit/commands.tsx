import { createContext, type ReactNode, useEffect, useRef, useState } from 'react';
import { useRequiredContext } from './use-required-context.ts';

/** An action that the current screen offers in the command palette. */
export interface Command {
  readonly group: string;
  readonly label: string;
  readonly remark: string;
  readonly run: () => void;
}

/** Called only when the palette opens: commands may be made from thousands of rows. */
type CommandSource = () => readonly Command[];

const SourcesContext = createContext<Set<CommandSource> | null>(null);

export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [sources] = useState(() => new Set<CommandSource>());
  return <SourcesContext value={sources}>{children}</SourcesContext>;
}

function useSources(): Set<CommandSource> {
  return useRequiredContext(SourcesContext, 'commands');
}

/** Provides commands for as long as the component is mounted. */
export function useProvideCommands(source: CommandSource): void {
  const sources = useSources();
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  useEffect(() => {
    const callLatest: CommandSource = () => latest.current();
    sources.add(callLatest);
    return () => {
      sources.delete(callLatest);
    };
  }, [sources]);
}

/** Returns the commands that were available when the component mounted. */
export function useCommands(): readonly Command[] {
  const sources = useSources();
  const [commands] = useState(() => [...sources].flatMap((source) => source()));
  return commands;
}
