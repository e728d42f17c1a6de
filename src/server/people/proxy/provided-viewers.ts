import { createHmac } from 'node:crypto';
import { toPayer } from '#server/core/ports.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { findExcess, toViewing, type Entitlement } from '../accounts/entitlement.ts';
import type { Identity } from '../accounts/viewers.ts';

/** A person as the proxy identifies them. */
export interface Vouched {
  /** The person's ID, from a header or a token. */
  readonly id: string;
  readonly groups: readonly string[];
  /** When this ends, in epoch milliseconds; null if it ends with the person's next request that allows less. */
  readonly until: number | null;
}

/** Viewers without a session here: a proxy identifies each request. */
export interface ProvidedViewers {
  readonly viewerOf: (vouched: Vouched, address: string) => Viewer;
  readonly identityOf: (viewer: Viewer) => Identity | null;
  /** Ends viewers that have expired, were deleted, or whose groups now have other rights. */
  readonly sweep: () => void;
  /** Ends all viewers, after the proxy's keys have changed. */
  readonly endAll: () => void;
}

interface ProvidedDeps {
  readonly key: string;
  readonly entitlementOf: (groups: readonly string[]) => Entitlement;
  /** `isFirst` is true if the person was not here a moment ago. */
  readonly onSeen: (viewer: Viewer, granted: Entitlement, address: string, isFirst: boolean) => void;
  readonly isRecorded: (person: string) => boolean;
  readonly now: () => number;
}

interface Live {
  readonly viewer: Viewer;
  readonly vouched: Vouched;
  readonly entitlement: Entitlement;
  /** A person who was recorded and no longer is has been deleted. */
  readonly wasRecorded: boolean;
  readonly end: () => void;
}

/** More than are likely to be there in a day; beyond it, those whose last request is the oldest end. */
const MOST_AT_ONCE = 10_000;

export function createProvidedViewers({ key, entitlementOf, onSeen, isRecorded, now }: ProvidedDeps): ProvidedViewers {
  const live = new Map<string, Live>();
  const identities = new WeakMap<Viewer, Identity>();

  const drop = (name: string): void => {
    live.get(name)?.end();
    live.delete(name);
  };
  const create = (name: string, vouched: Vouched, entitlement: Entitlement): Viewer => {
    const ending = new AbortController();
    const viewer: Viewer = {
      id: vouched.id,
      name: vouched.id,
      person: vouched.id,
      payer: toPayer(vouched.id),
      ...toViewing(entitlement),
      ended: ending.signal,
    };
    const forgeryToken = createHmac('sha256', key).update(`forgery ${vouched.id}`).digest('base64url');
    identities.set(viewer, {
      personId: vouched.id,
      name: vouched.id,
      ...entitlement,
      way: 'proxy',
      session: null,
      forgeryToken,
    });
    live.set(name, {
      viewer,
      vouched,
      entitlement,
      wasRecorded: isRecorded(vouched.id),
      end: () => {
        ending.abort();
      },
    });
    for (const oldest of live.keys()) if (live.size > MOST_AT_ONCE) drop(oldest);
    return viewer;
  };
  /**
   * Ends only viewers with rights beyond the current ones: two browsers with different groups must not end each other's
   * streams in turn.
   */
  const endBeyond = ({ id, until }: Vouched, entitlement: Entitlement): void => {
    if (until !== null) return;
    for (const [name, one] of live)
      if (one.vouched.id === id && findExcess(one.entitlement, entitlement) !== null) drop(name);
  };

  return {
    viewerOf: (vouched, address) => {
      const name = JSON.stringify([vouched.id, vouched.groups, vouched.until]);
      const known = live.get(name);
      if (known !== undefined) {
        live.delete(name);
        live.set(name, known);
        endBeyond(vouched, known.entitlement);
        return known.viewer;
      }
      const isFirst = ![...live.values()].some(({ vouched: { id } }) => id === vouched.id);
      const entitlement = entitlementOf(vouched.groups);
      endBeyond(vouched, entitlement);
      const viewer = create(name, vouched, entitlement);
      onSeen(viewer, entitlement, address, isFirst);
      return viewer;
    },
    identityOf: (viewer) => identities.get(viewer) ?? null,
    endAll: () => {
      for (const name of live.keys()) drop(name);
    },
    sweep: () => {
      for (const [name, one] of live) {
        const { viewer, vouched, wasRecorded } = one;
        const isOver = vouched.until !== null && now() >= vouched.until;
        const isKnown = isRecorded(vouched.id);
        if (isKnown && !wasRecorded) live.set(name, { ...one, wasRecorded: true });
        if (
          isOver ||
          (wasRecorded && !isKnown) ||
          toViewing(entitlementOf(vouched.groups)).entitlement !== viewer.entitlement
        )
          drop(name);
      }
    },
  };
}
