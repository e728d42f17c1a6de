import type { ServerPorts } from '#server/core/ports.ts';
import { createTurns } from '#server/core/in-turn.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { createAnnouncement, createFollowedElsewhere, type Needs } from './followed-elsewhere.ts';
import type { Publisher, SharedTopics } from './shared-topics.ts';
import type { SharedCursors } from './messages.ts';
import { createPublishedReadings } from './published-readings.ts';

/**
 * Topics of several desks on one database. The leader reads them, and publishes the readings; the others take what their
 * streams follow. Publishing costs nothing while no other desk follows a topic.
 */
export interface Sharing extends Publisher {
  /** The orders that may be working although the last reading of the working set does not list them. */
  readonly missing: () => Iterable<string>;
  /** Looks at once. Resolves to whether this desk has all readings until now: the store may not be readable. */
  readonly look: () => Promise<boolean>;
  readonly start: (topics: SharedTopics) => void;
  readonly close: () => Promise<void>;
}

export interface SharingDeps
  extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>, Pick<SharedCursors, 'names'> {
  /** The ID of this desk, unique among all starts. */
  readonly desk: string;
  readonly store: Store;
  /** The store for what only the leader writes. */
  readonly leaderStore: Store;
  readonly lease: Pick<Lease, 'isHeld' | 'epoch' | 'onChange'>;
  /** Whether no other desk is alive that could follow topics. */
  readonly isAlone: () => boolean;
  /** The orders that this desk found missing itself. */
  readonly missing: () => Iterable<string>;
}

const EVERY_MS = 300;
const AFTER_FAILURE_MS = 10_000;
const WITH_MISSING = 'working-orders';

export function openSharing(deps: SharingDeps): Sharing {
  const { lease, schedule, log } = deps;
  const published = createPublishedReadings(deps);
  const elsewhere = createFollowedElsewhere(deps);
  const { announce } = createAnnouncement(deps);
  const inTurn = createTurns();
  let topics: SharedTopics | null = null;
  let isOpen = true;
  let isLeading = false;
  let missing: readonly string[] = [];
  let cancel = (): void => undefined;

  /** Takes the readings that are new, of the topics that are followed here. False if the store cannot be read. */
  const takeNew = async (topics: SharedTopics, needs: Needs): Promise<boolean> => {
    const wanted = [...needs.keys()];
    const found = await published.find(topics.cursors.current().tick, wanted, wanted.filter(topics.isNew));
    for (const each of found ?? []) {
      if (each.address === WITH_MISSING && each.reading?.response) missing = each.reading.missing;
      await topics.take(each);
    }
    if (found !== undefined) topics.settle(wanted);
    return found !== undefined;
  };

  const lead = async (topics: SharedTopics): Promise<void> => {
    if (!isLeading) {
      // No other desk publishes any more, so these are the last that were sent to clients.
      isLeading = await takeNew(topics, topics.needs());
      if (!isLeading) return;
      published.begin();
      topics.changeReader();
    }
    await announce(new Map());
    if (!deps.isAlone() || elsewhere.isAny()) await elsewhere.update(topics, topics.repeat);
  };

  const follow = async (topics: SharedTopics, isLooking: boolean): Promise<boolean> => {
    if (isLeading) {
      isLeading = false;
      elsewhere.end(topics);
      topics.changeReader();
    }
    const needs = topics.needs();
    await announce(needs);
    return (!isLooking && needs.size === 0) || takeNew(topics, needs);
  };

  /** Returns whether this desk has all readings until now. */
  const turn = async (isLooking: boolean): Promise<boolean> => {
    if (topics === null || !isOpen) return false;
    if (!lease.isHeld()) return follow(topics, isLooking);
    await lead(topics);
    return isLeading;
  };

  /** Returns null if it failed; the store reports its own failures. */
  const look = (isLooking: boolean): Promise<boolean | null> =>
    inTurn(() => turn(isLooking)).catch((error: unknown) => {
      log('error', 'topics not shared', { reason: error instanceof Error ? error.stack : String(error) });
      return null;
    });

  const run = async (): Promise<void> => {
    plan((await look(false)) === null ? AFTER_FAILURE_MS : EVERY_MS);
  };
  const plan = (milliseconds: number): void => {
    cancel();
    if (isOpen) cancel = schedule(milliseconds, () => void run());
  };
  const wake = (): void => {
    if (topics !== null) plan(0);
  };
  const leads = (): boolean => isLeading && lease.isHeld();
  lease.onChange(wake);

  return {
    leads,
    epoch: lease.epoch,
    names: deps.names,
    publish: async (reading) => {
      if (!elsewhere.isAny()) return;
      await published.publish({
        ...reading,
        missing: reading.address === WITH_MISSING && reading.response !== null ? [...deps.missing()] : [],
      });
    },
    isNews: (address, readTick) => elsewhere.isAny() && !published.has(address, readTick),
    missing: () => (leads() ? deps.missing() : missing),
    wake,
    look: async () => leads() || (await look(true)) === true,
    start: (given) => {
      topics = given;
      plan(0);
    },
    close: async () => {
      isOpen = false;
      cancel();
      await inTurn(() => announce(new Map()));
    },
  };
}
