import type { QueryClient } from '@tanstack/react-query';
import type { TopicName } from '#contract/desk/topics.ts';
import { toEntitlement, type Access } from '../access.ts';
import { followScreen, type FollowingParts } from './following.ts';
import { createIntake, type IntakeParts } from './intake.ts';
import { LOST, type Live } from './live.ts';
import { SIGN_OF_LIFE_MS, type FromReader, type StreamState, type ToReader } from './protocol.ts';

/** The way to the reader of the stream. */
export interface ReaderChannel {
  readonly send: (message: ToReader) => void;
  readonly listen: (listener: (message: FromReader) => void) => void;
}

export interface PageParts extends Pick<FollowingParts, 'isHidden' | 'onVisibility'>, Pick<IntakeParts, 'beforeFrame'> {
  readonly onLeave: (listener: () => void) => void;
  readonly every: (ms: number, call: () => void) => void;
  readonly access: Access;
}

const STATUS: TopicName = 'status';

/** Follows the topics of what is on screen, and puts what is pushed where screens look for it. */
export function bindLive(
  live: Live,
  client: QueryClient,
  channel: ReaderChannel,
  { onLeave, every, beforeFrame, access, ...page }: PageParts,
): void {
  const sendFollowed = (): void => {
    channel.send({ kind: 'follow', topics: Array.from(followed.values(), ({ live: { topic } }) => topic) });
  };
  const onChange = (gone: readonly string[]): void => {
    for (const address of gone) {
      live.setPushedAt(address, 0);
      intake.forget(address);
    }
    sendFollowed();
  };
  const followed = followScreen({ ...page, cache: client.getQueryCache(), onChange });
  const intake = createIntake({
    client,
    beforeFrame,
    find: (address) => followed.get(address),
    requestWhole: (address) => {
      channel.send({ kind: 'whole', address });
    },
  });
  const onLost = (address: string): void => {
    live.setPushedAt(address, LOST);
    intake.forget(address);
    const query = followed.get(address)?.query;
    // Notified, it polls as its responses become due.
    query?.setState(query.state);
  };
  const onState = (state: StreamState): void => {
    live.setState(state);
    if (state === 'open') return;
    // A session that has ended ends its stream first.
    void access.check();
    intake.forget();
    for (const {
      query,
      live: { topic },
    } of followed.values()) {
      // Whether the desk is still there shows at once; the others, notified, poll again as their responses become due.
      if (topic.address === STATUS)
        void client.invalidateQueries({ queryKey: query.queryKey }, { cancelRefetch: false });
      else query.setState(query.state);
    }
  };
  channel.listen((message) => {
    if (message.kind === 'stream') {
      onState(message.state);
    } else if (message.kind === 'lost') {
      onLost(message.address);
    } else if (followed.has(message.address)) {
      live.setPushedAt(message.address, message.receivedAt);
      intake.receive(message);
    }
  });
  const sendViewer = (): void => {
    const me = access.read()?.me;
    if (me !== null && me !== undefined) channel.send({ kind: 'viewer', viewer: toEntitlement(me) });
  };
  access.subscribe(sendViewer);
  sendViewer();
  onLeave(() => {
    channel.send({ kind: 'leave' });
  });
  every(SIGN_OF_LIFE_MS, sendFollowed);
}
