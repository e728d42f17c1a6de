import { expect, test } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { createBody } from '../body.ts';
import { VenueFailure, type Problem, type Question, type Reader, type Venue, type VenueAnswer } from '../ports.ts';
import { toQuestion } from '../question.ts';
import { createKept } from './kept.ts';
import { createMemory } from './memory.ts';
import { createReader } from './reader.ts';

interface Script {
  readonly reader: Reader;
  readonly clock: FakeClock;
  /** The reads of the venue that are out, oldest first. */
  readonly reads: Read[];
}

interface Read {
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly answer: (text: string, heldMs?: number) => Promise<void>;
  readonly fail: (problem: Problem) => Promise<void>;
}

const profile = VENUES['sandbox'];
if (profile === undefined) throw new Error('There is no profile of the sandbox.');
const trailing = toQuestion(profile, 'trailingStatsAll', {}, []);
const working = toQuestion(profile, 'ordersWorking', {}, []);
const settled = toQuestion(profile, 'fundingRates', {}, [['product_id', '5599'], ['begin_time', '2020-01-01T00:00:00Z'], ['end_time', '2020-02-01T00:00:00Z']]);
const PRINTS = JSON.stringify(wireAnswers.fundingRates);
const DOWN: Problem = { type: 'venue-unreachable', detail: 'down' };

function open(disk = openTestDisk(), identity = '3f', clockOffsetMs = 0): Script {
  const clock = createFakeClock();
  const reads: Read[] = [];
  const state = { baseUrl: '', clockOffsetMs, circuit: 'closed', lastAnswerAt: null, lastReads: new Map(), lastFailure: null, lastRefusal: null } as const;
  const venue: Venue = {
    read: (question, { signal }) =>
      new Promise<VenueAnswer>((resolve, reject) => {
        reads.push({
          question,
          signal,
          answer: (text, heldMs = 0) => {
            resolve({ body: createBody([Buffer.from(text)]), contentType: 'application/json', answeredAt: clock.now() - heldMs, heldMs, tag: `"${String(reads.length)}"` });
            return clock.advance(0);
          },
          fail: (problem) => {
            reject(new VenueFailure(problem));
            return clock.advance(0);
          },
        });
      }),
    state: () => state,
    close: () => Promise.resolve(),
  };
  const parts = { venue, memory: createMemory(1_000_000), kept: createKept(disk, 1_000_000), now: clock.now, elapsed: clock.elapsed, venueId: 'v', identity };
  return { reader: createReader(parts), clock, reads };
}

function ask({ reader }: Script, question = trailing, signal = new AbortController().signal) {
  return reader.ask(question, { purpose: question.endpoint.purpose, signal });
}

/** From then on the answer is known. */
async function answerFirst(script: Script): Promise<void> {
  const first = ask(script);
  await script.reads[0]?.answer('[1]');
  await first;
}

test('a thousand who ask at once make one read', async () => {
  const script = open();
  const asking = Promise.all(Array.from({ length: 1_000 }, () => ask(script)));
  expect(script.reads).toHaveLength(1);
  await script.reads[0]?.answer('[1]');
  const served = await asking;
  expect(new Set(served.map(({ answer }) => answer)).size).toBe(1);
  expect(served.map(({ how }) => how).filter((how) => how === 'joined')).toHaveLength(999);
});

test('an answer is used again as long as the table allows, and not a moment longer', async () => {
  const script = open();
  await answerFirst(script);
  await script.clock.advance(trailing.endpoint.reuseSeconds * 1_000 - 1);
  expect((await ask(script)).how).toBe('hit');
  await script.clock.advance(1);
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('an answer from before the clock was set back is not used again: nobody knows how old it is', async () => {
  const script = open();
  for (const question of [working, trailing]) {
    const first = ask(script, question);
    await script.reads.at(-1)?.answer('[1]');
    await first;
  }
  script.clock.correct(-3_600_000);
  for (const question of [working, trailing]) {
    expect(script.reader.find(question)).toBeUndefined();
    const failed = expect(ask(script, question)).rejects.toMatchObject({ problem: DOWN });
    await script.reads.at(-1)?.fail(DOWN);
    await failed;
  }
});

test('the read goes on while one of those who wait is left, and is dropped when none is', async () => {
  const script = open();
  const [one, two] = [new AbortController(), new AbortController()];
  const both = [ask(script, trailing, one.signal), ask(script, trailing, two.signal)];
  one.abort();
  await expect(both[0]).rejects.toMatchObject({ name: 'AbortError' });
  expect(script.reads[0]?.signal.aborted).toBe(false);
  two.abort();
  await expect(both[1]).rejects.toMatchObject({ name: 'AbortError' });
  expect(script.reads[0]?.signal.aborted).toBe(true);
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('a click that joined a prefetch is not content with its failure; another prefetch is', async () => {
  const script = open();
  const { signal } = new AbortController();
  const prefetch = expect(script.reader.ask(trailing, { purpose: 'prefetch', signal })).rejects.toMatchObject({ problem: DOWN });
  const other = expect(script.reader.ask(trailing, { purpose: 'prefetch', signal })).rejects.toMatchObject({ problem: DOWN });
  const clicks = [1, 2].map(() => script.reader.ask(trailing, { purpose: 'click', signal }));
  await script.reads[0]?.fail(DOWN);
  await Promise.all([prefetch, other]);
  expect(script.reads).toHaveLength(2);
  await script.reads[1]?.answer('[2]');
  expect((await Promise.all(clicks)).map(({ answer }) => answer.body.toString())).toEqual(['[2]', '[2]']);
});

test('a public answer is given stale when the venue fails, with the reason; a private one is not', async () => {
  for (const [question, expected] of [[trailing, 'stale'], [working, 'venue-unreachable']] as const) {
    const script = open();
    const first = ask(script, question);
    await script.reads[0]?.answer('[1]');
    await first;
    await script.clock.advance(60_000);
    const second = ask(script, question).then(({ how, staleBecause }) => [how, staleBecause?.type], (error: unknown) => (error instanceof VenueFailure ? [error.problem.type] : []));
    await script.reads[1]?.fail(DOWN);
    expect((await second)[0]).toBe(expected);
  }
});

test('after a day, a stale answer is no answer', async () => {
  const script = open();
  await answerFirst(script);
  await script.clock.advance(25 * 3_600_000);
  const second = ask(script);
  const failed = expect(second).rejects.toMatchObject({ problem: DOWN });
  await script.reads[1]?.fail(DOWN);
  await failed;
});

test('a refusal in between leaves the last good answer for when the venue fails', async () => {
  const script = open();
  await answerFirst(script);
  await script.clock.advance(20_000);
  const refused = expect(ask(script)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  await script.reads[1]?.fail({ type: 'not-found', detail: 'not here' });
  await refused;
  await script.clock.advance(70_000);
  const failed = ask(script);
  await script.reads[2]?.fail(DOWN);
  expect(await failed).toMatchObject({ how: 'stale', staleBecause: DOWN });
});

test('an answer that a cache in between had held for longer than it may be used is used that long from then on', async () => {
  const script = open();
  const first = ask(script);
  await script.reads[0]?.answer('[1]', 600_000);
  expect(await first).toMatchObject({ freshSeconds: 10 });
  await script.clock.advance(9_999);
  expect(await ask(script)).toMatchObject({ how: 'hit' });
  await script.clock.advance(1);
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('a refusal that would be given again is remembered', async () => {
  const script = open();
  const problem: Problem = { type: 'too-many-working-orders', detail: 'many' };
  const first = expect(ask(script, working)).rejects.toMatchObject({ problem });
  await script.reads[0]?.fail(problem);
  await first;
  await expect(ask(script, working)).rejects.toMatchObject({ problem });
  expect(script.reads).toHaveLength(1);
});

async function failOnce(script: Script, problem: Problem, question = trailing): Promise<void> {
  const failed = ask(script, question).catch(() => undefined);
  await script.reads.at(-1)?.fail(problem);
  await failed;
}

test.each(['venue-unreachable', 'clock-skew', 'key-refused'] as const)('however many ask, what failed (%s) is tried again only after a while', async (type) => {
  const script = open();
  await failOnce(script, { type, detail: 'no' });
  for (let second = 1; second < 10; second++) {
    await script.clock.advance(1_000);
    await expect(ask(script)).rejects.toMatchObject({ problem: { type, detail: 'no' } });
  }
  expect(script.reads).toHaveLength(1);
  await script.clock.advance(1_000);
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('while a failure is remembered, the old answer is given with the reason', async () => {
  const script = open();
  await answerFirst(script);
  await script.clock.advance(60_000);
  await failOnce(script, DOWN);
  expect(await ask(script)).toMatchObject({ how: 'stale', staleBecause: DOWN });
  expect(script.reads).toHaveLength(2);
});

test('who is more urgent than those that failed tries again at once, and its answer is the end of the failure', async () => {
  const script = open();
  await failOnce(script, DOWN);
  const click = script.reader.ask(trailing, { purpose: 'click', signal: new AbortController().signal });
  const joining = ask(script);
  await script.reads[1]?.answer('[1]');
  expect([(await click).how, (await joining).how]).toEqual(['miss', 'joined']);
  script.clock.correct(-60_000);
  void ask(script);
  expect(script.reads).toHaveLength(3);
});

test('what says itself when to ask again is asked then; a spent budget is asked about each time', async () => {
  const script = open();
  await failOnce(script, { ...DOWN, retryAfterSeconds: 2 });
  await script.clock.advance(2_000);
  await failOnce(script, { type: 'budget-spent', detail: 'spent', retryAfterSeconds: 100 });
  expect(script.reads).toHaveLength(2);
  void ask(script);
  expect(script.reads).toHaveLength(3);
});

test('a failure that says when to ask again holds until then, for clicks too, with what is left of the time', async () => {
  const script = open();
  await failOnce(script, { ...DOWN, retryAfterSeconds: 120 });
  await script.clock.advance(50_000);
  await expect(ask(script)).rejects.toMatchObject({ problem: { ...DOWN, retryAfterSeconds: 70 } });
  await script.clock.advance(69_999);
  const click = script.reader.ask(trailing, { purpose: 'click', signal: new AbortController().signal });
  await expect(click).rejects.toMatchObject({ problem: { ...DOWN, retryAfterSeconds: 1 } });
  expect(script.reads).toHaveLength(1);
  await script.clock.advance(1);
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('what was refused is asked for again by who says so, and the answer stands in place of the refusal', async () => {
  const script = open();
  const refused = expect(ask(script, working)).rejects.toMatchObject({ problem: { type: 'too-many-working-orders' } });
  await script.reads[0]?.fail({ type: 'too-many-working-orders', detail: '' });
  await refused;
  const again = script.reader.ask(working, { purpose: 'working', signal: new AbortController().signal, again: true });
  await script.reads[1]?.answer('[1]');
  expect((await again).how).toBe('miss');
  expect((await ask(script, working)).how).toBe('hit');
  expect(script.reads).toHaveLength(2);
});

test('a refusal is asked for anew after a minute, however long an answer may be used', async () => {
  const script = open();
  const specs = toQuestion(profile, 'productSpecs', {}, []);
  expect(specs.endpoint.reuseSeconds).toBe(3_600);
  const refused = expect(ask(script, specs)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  await script.reads[0]?.fail({ type: 'not-found', detail: 'nothing' });
  await refused;
  await script.clock.advance(59_999);
  expect(() => script.reader.find(specs)).toThrow(VenueFailure);
  await script.clock.advance(1);
  const again = ask(script, specs);
  await script.reads[1]?.answer('[]');
  expect((await again).how).toBe('miss');
});

test('what is settled is read once and kept over a restart; nothing private is on the disk', async () => {
  const disk = openTestDisk();
  const before = open(disk);
  for (const question of [settled, working]) {
    const first = ask(before, question);
    await before.reads.at(-1)?.answer(PRINTS);
    await first;
  }
  const after = open(disk, 'other');
  expect((await ask(after, settled)).how).toBe('kept');
  expect((await ask(after, settled)).answer.body.toString()).toBe(PRINTS);
  void ask(after, working);
  expect(after.reads.map(({ question }) => question.name)).toEqual(['ordersWorking']);
});

test('an answer that cannot be kept on disk is an answer', async () => {
  const disk = openTestDisk();
  const script = open(disk);
  stopWrites(disk);
  const asking = ask(script, settled);
  await script.reads[0]?.answer(PRINTS);
  expect((await asking).answer.body.toString()).toBe(PRINTS);
  expect((await ask(script, settled)).how).toBe('kept');
});

test('what the desk could not write down is no failure of the venue, and is tried again at once', async () => {
  const script = open();
  await failOnce(script, { type: 'desk-cannot-write', detail: 'full' });
  void ask(script);
  expect(script.reads).toHaveLength(2);
});

test('bytes that come again are the same bytes with the same tag, others have another', async () => {
  const script = open();
  const served = [];
  for (const text of ['[1]', '[1]', '[2]']) {
    const asking = ask(script);
    await script.reads.at(-1)?.answer(text);
    served.push((await asking).answer);
    await script.clock.advance(60_000);
  }
  const [first, again, other] = served;
  expect(again?.body).toBe(first?.body);
  expect(again?.tag).toBe(first?.tag);
  expect(again?.answeredAt).toBeGreaterThan(first?.answeredAt ?? 0);
  expect(other?.tag).not.toBe(first?.tag);
});

test('what is settled is found in memory after its first reading from disk', async () => {
  const disk = openTestDisk();
  const before = open(disk);
  const first = ask(before, settled);
  await before.reads[0]?.answer(PRINTS);
  await first;
  const after = open(disk);
  expect(after.reader.find(settled)).toBeUndefined();
  await ask(after, settled);
  await after.clock.advance(3_600_000);
  expect(after.reader.find(settled)?.how).toBe('kept');
});

test.each(['[{"message":"maintenance"}]', '{"data":[{"product_id":"none"}],"pagination":{"cursor":null}}', '{}'])('what is not of the shape of the interface is not settled: %s', async (text) => {
  const script = open();
  const first = ask(script, settled);
  await script.reads[0]?.answer(text);
  await first;
  expect(script.reader.state().kept.answers).toBe(0);
  await script.clock.advance(settled.endpoint.reuseSeconds * 1_000);
  const again = ask(script, settled);
  await script.reads[1]?.answer(PRINTS);
  expect((await again).how).toBe('miss');
  expect(script.reader.state().kept.answers).toBe(1);
});

test('what was not there when it was asked for is asked for again, also where an earlier desk kept it', async () => {
  const disk = openTestDisk();
  const nothing = '{"data":[],"pagination":{"cursor":null}}';
  const keptEarlier = { body: createBody([Buffer.from(nothing)]), contentType: 'application/json', answeredAt: 1_600_000_000_000, tag: '"e"' };
  createKept(disk, 1_000_000).keep(`v ${settled.target}`, keptEarlier);
  const script = open(disk);
  const first = ask(script, settled);
  await script.reads[0]?.answer(nothing);
  expect((await first).how).toBe('miss');
  await script.clock.advance(settled.endpoint.reuseSeconds * 1_000);
  const again = ask(script, settled);
  await script.reads[1]?.answer(PRINTS);
  expect((await again).answer.body.toString()).toBe(PRINTS);
  expect((await ask(script, settled)).how).toBe('kept');
});

test.each([
  ['two hours ago by ours, but not yet by the venue’s', -3, -2, 0],
  ['in an hour by ours, but two hours ago by the venue’s', 3, 1, 1],
])('a range ends by the venue’s clock: %s', async (_, offsetHours, endsInHours, kept) => {
  const hour = 3_600_000;
  const script = open(undefined, undefined, offsetHours * hour);
  const end = new Date(script.clock.now() + endsInHours * hour).toISOString();
  const first = ask(script, toQuestion(profile, 'fundingRates', {}, [['product_id', '5599'], ['begin_time', '2020-01-01T00:00:00Z'], ['end_time', end]]));
  await script.reads[0]?.answer(PRINTS);
  await first;
  expect(script.reader.state().kept.answers).toBe(kept);
});

test('a range that has not been over for long is not settled', async () => {
  const script = open();
  const end = new Date(script.clock.now() - 1_000).toISOString();
  const recent = toQuestion(profile, 'fundingRates', {}, [['product_id', '5599'], ['begin_time', '2020-01-01T00:00:00Z'], ['end_time', end]]);
  const first = ask(script, recent);
  await script.reads[0]?.answer(PRINTS);
  await first;
  expect(script.reader.state().kept.answers).toBe(0);
});
