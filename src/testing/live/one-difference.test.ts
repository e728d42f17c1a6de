import fc from 'fast-check';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, test } from 'vitest';
import { DESK_ENDPOINTS, type DeskWorking } from '#contract/desk/desk.ts';
import { LIVE_EVENTS, type TopicEventName } from '#contract/desk/live.ts';
import { rowsFieldOf, TOPICS } from '#contract/desk/topics.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ListChange } from '#contract/parse/row-diff.ts';
import { createParser as createRowParser } from '#contract/parse/parse.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { countChanges, createTrackedOrders, trackOrders } from '#model/orders/tracked-orders.ts';
import { toWorkingSet } from '#model/orders/working-set.ts';
import type { ApiResponse } from '#model/response.ts';
import {
  createWorkingRows,
  diffReadings,
  diffSince,
  type OrderReading,
} from '#model/tables/orders/create-working-rows.ts';
import { createQueryClient } from '#page/client/queries/create-query-client.ts';
import { toApiResponse } from '#page/client/create-api.ts';
import { createIntake } from '#page/client/live/intake.ts';
import type { FollowedQuery, TopicMessage } from '#page/client/live/live.ts';
import { createTopicCopy, type TopicUpdate } from '#page/client/live/topic-copy.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { createCursors, type Tick } from '#server/push/messages.ts';
import { createFeed, type Feed } from '#server/push/feed.ts';
import { toTopicRequest } from '#server/push/topic-request.ts';
import { createViewedFeeds } from '#server/push/viewed-feeds.ts';
import type { Follower } from '#server/push/followed-topic.ts';
import { createFindOwn } from '#server/readings/working-orders/describe-working-set.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toWorkingProof } from '#testing/working-proof.ts';

const topic = TOPICS['working-orders'];
const ROWS_FIELD = rowsFieldOf(topic);
const ADDRESS = 'working-orders';
const AT = '2026-08-17T10:00:00.000Z';
const OWN: Viewer = {
  ...LOCAL_VIEWER,
  scope: { accounts: new Set(['OWN']), firms: new Set(), connections: new Set() },
  entitlement: 'own',
};
const [sample] = sampleResponses.ordersWorking;
const PROBLEM = { type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd' };
const fail = (): never => {
  throw new VenueFailure({ type: 'budget-spent', detail: 'spent' });
};

interface Placed {
  readonly id: string;
  readonly account: string;
  readonly price: number;
}

interface Reading {
  readonly orders: readonly Placed[];
  readonly complete: boolean;
}

function toRowTexts({ orders }: Reading): readonly string[] {
  return orders.map(({ id, account, price }) =>
    JSON.stringify({ ...sample, id, account_id: account, clearing_firm_code: account, price }),
  );
}

function toText(reading: Reading): string {
  const rows = toRowTexts(reading);
  const facts = { ...toWorkingProof(rows.length, reading.complete), drop: null, read_from: AT, read_to: AT };
  return `${JSON.stringify(facts).slice(0, -1)},"orders":[${rows.join(',')}]}`;
}

/** Opens the server, which reads the working orders for everyone and has a feed for each scope. */
function openDesk() {
  const cursors = createCursors();
  const followers = new Set<Follower>();
  const parts = { now: () => 0, venueNow: () => null };
  const feed = createFeed({
    ...parts,
    address: ADDRESS,
    topic,
    rowsField: ROWS_FIELD,
    cadence: () => ({ everySeconds: 5, sharedBy: 1 }),
    nextCursor: cursors.next,
  });
  const feeds = createViewedFeeds({
    ...parts,
    hub: {
      cursors,
      hasSpaceFor: () => true,
      follow: (_, follower) => (followers.add(follower), feed),
      unfollow: (_, follower) => void followers.delete(follower),
    },
    // Scoped orders are not read separately while the whole is incomplete.
    responders: { status: fail, alerts: fail, working: fail },
    findOwn: createFindOwn(() => []),
    toProblem: () => PROBLEM,
    schedule: () => () => undefined,
  });
  const readRows = createRowReader('id');
  const listOf = (reading: Reading): readonly string[] => [toRowTexts(reading).join(',')];
  const follow = (viewer: Viewer): Feed =>
    feeds.follow(toTopicRequest(ADDRESS), viewer, { payers: () => [viewer.payer], onChange: () => undefined });
  return {
    feedOf: { all: follow(LOCAL_VIEWER), own: follow(OWN) },
    /** Makes another viewer read the topic in between. */
    poll: (reading: Reading) => readRows(listOf(reading)),
    read: async (reading: Reading | null): Promise<void> => {
      if (reading === null) await feed.fail(PROBLEM);
      else await feed.update({ text: toText(reading), step: readRows(listOf(reading)), cost: 1, sent: 1 });
      for (const { onChange } of followers) onChange();
      await new Promise(setImmediate);
    },
  };
}

type Watched = keyof ReturnType<typeof openDesk>['feedOf'];

/** Opens a page with the reader of its stream. */
function openPage() {
  const client = createQueryClient({ statusKey: ['desk/status', {}] });
  const parser = createRowParser(DESK_ENDPOINTS.working.response, ROWS_FIELD ?? undefined);
  const request = { endpoint: 'desk/working', target: '', parse: (text: string) => parser.tolerant(text) };
  const read: FollowedQuery['live']['read'] = (received, previous) =>
    toApiResponse(request, received, previous as ApiResponse<DeskWorking> | undefined);
  const query = client.getQueryCache().build(client, { queryKey: [ADDRESS] }) as unknown as FollowedQuery['query'];
  let book = createTopicCopy(topic, ROWS_FIELD);
  let drawFrame = (): void => undefined;
  const deliver = (update: TopicUpdate): void => {
    if (update.kind === 'lost') return;
    const whole = book.whole();
    const rest = update.kind === 'whole' ? { kind: 'whole', ...whole } : update;
    intake.receive({ address: ADDRESS, receivedAt: 0, ...rest } as TopicMessage);
    drawFrame();
  };
  const intake = createIntake({
    client,
    find: () => ({ query, live: { topic: { ...topic, address: ADDRESS, rowsField: ROWS_FIELD }, read } }),
    requestWhole: () => {
      if (book.whole() !== null) deliver({ kind: 'whole' } as TopicUpdate);
    },
    beforeFrame: (call) => {
      drawFrame = call;
    },
  });
  return {
    /** Reads what arrives of a stream; false: its place is lost. */
    receive: (text: string): boolean => {
      let isThere = true;
      const onEvent = ({ event = '', data }: EventSourceMessage): void => {
        if (!isThere || !Object.hasOwn(LIVE_EVENTS, event)) return;
        const update = book.apply(event as TopicEventName, data);
        isThere = update?.kind !== 'lost';
        if (update !== null) deliver(update);
      };
      createParser({ onEvent }).feed(text);
      return isThere;
    },
    /** Makes the page's reader start again. */
    renew: (): void => {
      book = createTopicCopy(topic, ROWS_FIELD);
    },
    /** Makes the page read by itself, as it does without a stream. */
    poll: (reading: Reading): void => {
      const received = { text: toText(reading), receivedAt: 0, venueTime: null, respondedAt: null, ageSeconds: 0 };
      client.setQueryData(
        [ADDRESS],
        toApiResponse(request, { ...received, freshSeconds: null, staleBecause: null, tag: null } as never),
      );
    },
    response: () => client.getQueryData<ApiResponse<DeskWorking>>([ADDRESS]),
  };
}

const termsOf = createTerms([], () => null);

function toReading(response: ApiResponse<DeskWorking>): OrderReading & { readonly complete: boolean } {
  const { value, setAside, change } = response;
  const { orders, completeness } = toWorkingSet(
    value,
    setAside.length,
    change === undefined ? undefined : value.orders.length,
  );
  const { complete } = completeness;
  const changes = change as ListChange<Order> | undefined;
  return { orders, complete, change: changes, source: response, parts: value.parts, termsOf, offsetMs: 0 };
}

/** Opens the list on screen, which a pointer may hold still. */
function openList() {
  const toRows = createWorkingRows();
  let shown: ReturnType<typeof toReading> | null = null;
  let tracked = createTrackedOrders([]);
  return {
    show: (response: ApiResponse<DeskWorking> | undefined, isHeld: boolean): void => {
      if (response === undefined) return;
      const next = toReading(response);
      const keep = { complete: next.complete, at: 0, keepMs: Infinity };
      if (isHeld && shown !== null && countChanges(tracked, { diff: diffReadings(shown, next), ...keep }) > 0) return;
      const rows = toRows(next);
      tracked = trackOrders(tracked, rows.rows, { diff: diffSince(tracked.rows, rows), ...keep });
      shown = next;
    },
    rows: () => tracked.rows.map(({ order, duplicates, twins }) => ({ order, duplicates, twins })),
    unread: () => tracked.unread.map(({ order }) => order.id),
  };
}

const IDS = ['7001', '7002', '7003', '7004', '7005', '7006'];
const order = fc.record({
  id: fc.constantFrom(...IDS),
  account: fc.constantFrom('OWN', 'FOREIGN'),
  price: fc.nat(2),
});
const reading = fc.record({
  orders: fc.uniqueArray(order, { selector: ({ id }) => id }),
  complete: fc.boolean(),
});
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ reads: reading }) },
  fc.constant({ fails: true }),
  fc.record({ pollsElsewhere: reading }),
  fc.record({ pollsReadingsAgo: fc.nat(1) }),
  fc.record({ cutAt: fc.nat(900) }),
  fc.constant({ misses: true }),
  fc.record({ sees: fc.constantFrom<Watched>('all', 'own') }),
  fc.record({ holds: fc.boolean() }),
);

test('any sequence of readings, failures, cuts, other scopes and held pointers ends in what a fresh page shows, and no frame tells of orders of others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 14 }), reading, async (events, last) => {
      const desk = openDesk();
      const [page, list] = [openPage(), openList()];
      let [held, sees, isHeld]: [Tick | null, Watched, boolean] = [null, 'all', false];
      const readings: Reading[] = [];
      /** The ids of all orders that ever belonged to the one account. */
      const own = new Set<string>();
      const read = async (next: Reading): Promise<void> => {
        readings.push(next);
        for (const { id, account } of next.orders) if (account === 'OWN') own.add(id);
        await desk.read(next);
      };

      const take = async (length = Infinity): Promise<void> => {
        const { tick, frames: messages } = await desk.feedOf[sees].catchUp(held);
        const text = messages.map(({ plain }) => plain.toString()).join('');
        if (sees === 'own') expect(text).not.toContain('FOREIGN');
        const foreign = IDS.filter((id) => sees === 'own' && !own.has(id));
        expect(foreign.filter((id) => text.includes(`"${id}"`))).toEqual([]);
        // Without a cursor, a stream that was cut is resumed from its last position.
        const isWhole = length >= text.length;
        const isThere = page.receive(text.slice(0, length));
        if (isWhole && isThere) held = tick;
        if (isThere) return;
        held = null;
        page.renew();
      };
      const show = (): void => {
        list.show(page.response(), isHeld);
      };
      const visible = ({ orders, ...rest }: Reading): Reading => ({
        ...rest,
        orders: orders.filter(({ account }) => sees === 'all' || account === 'OWN'),
      });

      const poll = (readingsAgo: number): void => {
        const polled = readings.at(-1 - readingsAgo);
        if (polled !== undefined) page.poll(visible(polled));
      };

      for (const each of events) {
        if ('reads' in each) await read(each.reads);
        if ('fails' in each) await desk.read(null);
        if ('pollsElsewhere' in each) desk.poll(each.pollsElsewhere);
        if ('pollsReadingsAgo' in each) poll(each.pollsReadingsAgo);
        if ('holds' in each) isHeld = each.holds;
        if ('sees' in each && each.sees !== sees) {
          [held, sees] = [null, each.sees];
          page.renew();
        }
        if ('cutAt' in each) await take(each.cutAt);
        else if (!('misses' in each)) await take();
        show();
      }
      await read(last);
      for (let attempt = 0; attempt < 2; attempt++) await take();
      isHeld = false;
      show();

      const [freshPage, fresh] = [openPage(), openList()];
      const { frames: messages } = await desk.feedOf[sees].catchUp(null);
      freshPage.receive(messages.map(({ plain }) => plain.toString()).join(''));
      fresh.show(freshPage.response(), false);
      expect(list.rows()).toEqual(fresh.rows());
      const ids = visible(last).orders.map(({ id }) => id);
      expect(list.rows().map(({ order: { id } }) => id)).toEqual(ids.toSorted().toReversed());
      // Orders that an incomplete reading lacks are still there, marked as not read.
      if (last.complete) expect(list.unread()).toEqual([]);
      expect(list.unread().filter((id) => ids.includes(id))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
