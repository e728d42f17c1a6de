import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { useAddress, useNavigator } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';
import { choiceParam } from '#model/format/url-param.ts';
import { useStable } from '#page/kit/use-stable.ts';
import { readListState, writeListState, type ListState } from './list-query.ts';
import { isHeld, readOwnTexts, toOwnId, toOwnTexts, writeOwnTexts } from './own-texts.ts';
import { splitState } from './private-state.ts';
import { createPrivateStore, type KeptState } from './private-store.ts';
import { isKept, isSame, resolveLink, type LinkState } from './resolve-link.ts';
import { useAliases, type AliasReading } from './use-aliases.ts';

/** Whether the address may hold account codes as they are, instead of their aliases. */
const codesParam = choiceParam('codes', ['off', 'on'], 'off');

export interface ListLink {
  /** Without the filters that are not resolved. */
  readonly list: ListState;
  readonly link: LinkState;
  readonly aliases: AliasReading;
  /** Filters that no address contains, since a code in them has no alias: columns, or `quick`. */
  readonly held: readonly string[];
  readonly sharesCodes: boolean;
  /** `replaces`: what is not resolved is dropped; otherwise another change does not lose it. */
  readonly put: (next: ListState, shares: boolean, replaces?: boolean) => void;
}

/** The state of a list as its address has it, with aliases for codes. What this tab has written itself needs none. */
export function useLink(ids: readonly string[], codes: ReadonlySet<string>, name: string): ListLink {
  const navigator = useNavigator();
  const { query } = useAddress();
  const [store] = useState(() => createPrivateStore(window, name, ids));
  const kept = useSyncExternalStore(store.subscribe, store.read);
  const own = useStable(useMemo(() => readOwnTexts(query), [query]));
  const aliases = useAliases(
    own.length > 0 || Object.keys(kept.filters).length > 0 || kept.quick !== '' || kept.view !== '',
  );
  const { table } = aliases;
  const optedIn = codesParam.read(query) === 'on';
  const { list, link, privateState } = useMemo(
    () => resolveLink({ shared: readListState(query, ids), own, kept, table, optedIn }),
    [query, ids, own, kept, table, optedIn],
  );
  const isResolved = link.is === 'resolved';
  useCompleteAddress({ own, kept, codes, aliases, isResolved }, (complete) => {
    writeQuery(navigator, (address) => {
      writeOwnTexts(address, complete);
    });
    store.write({ ...kept, own: complete });
  });
  const put = (next: ListState, shares: boolean, replaces = false): void => {
    const { shared, tabOnly } = splitState(next, shares, codes, privateState);
    const nextOwn = shares ? [] : toOwnTexts(tabOnly, table, codes);
    const keepsLink = !isResolved && !replaces && isSame(nextOwn, toOwnTexts(privateState, table, codes));
    writeQuery(navigator, (address) => {
      writeListState(address, shared);
      writeOwnTexts(address, keepsLink ? own : nextOwn);
      codesParam.write(address, shares ? 'on' : 'off');
    });
    if (!keepsLink) store.write({ ...tabOnly, own: nextOwn });
  };
  const held = useMemo(
    () =>
      own
        .filter(isHeld)
        .map(toOwnId)
        .filter((id) => id !== 'view'),
    [own],
  );
  return { list, link, aliases, held, sharesCodes: optedIn, put };
}

interface AddressParts {
  readonly own: readonly string[];
  readonly kept: KeptState;
  readonly codes: ReadonlySet<string>;
  readonly aliases: AliasReading;
  readonly isResolved: boolean;
}

/** A code gets its alias only after the desk has read an order of it: the address follows. */
function useCompleteAddress(
  { own, kept, codes, aliases: { table, read }, isResolved }: AddressParts,
  write: (own: readonly string[]) => void,
): void {
  const lacksAlias = own.some(isHeld) || !isResolved;
  const known = codes.size;
  const readAliases = useEffectEvent(() => {
    if (lacksAlias && table !== null) void read();
  });
  useEffect(() => {
    readAliases();
  }, [own, known]);
  const complete = useMemo(
    () => (lacksAlias && table !== null && isKept(own, kept.own) ? toOwnTexts(kept, table, codes) : own),
    [lacksAlias, table, own, kept, codes],
  );
  const writeComplete = useEffectEvent(write);
  useEffect(() => {
    if (!isSame(complete, own)) writeComplete(complete);
  }, [complete, own]);
}
