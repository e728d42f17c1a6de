import { expect, it } from 'vitest';
import { createRecorder, createReplay } from './recording.ts';

const BYTES = new TextEncoder().encode('{"price": 1.10}\n');
const parts = { now: () => 7, timeout: () => new AbortController().signal, signal: new AbortController().signal };

it('each answer is kept to the byte, requested once, and given again as it was received', async () => {
  const requested: string[] = [];
  const recorder = createRecorder({
    ...parts,
    fetch: (target, init) => {
      requested.push(`${target} ${String(init.cache)}`);
      return Promise.resolve(
        new Response(BYTES.slice(), {
          headers: { 'age': '3', 'etag': '"t"', 'set-cookie': 'secret', 'content-type': 'application/json' },
        }),
      );
    },
  });
  const first = await recorder.http.get('/a', { isPrivate: true });
  await Promise.all([recorder.http.get('/b', { isPrivate: true }), recorder.http.get('/a', { isPrivate: true })]);
  expect(requested).toEqual(['/a no-store', '/b no-store']);
  const answers = recorder.answers();
  expect(answers.map(({ target, bytes }) => [target, bytes])).toEqual([
    ['/a', BYTES],
    ['/b', BYTES],
  ]);
  expect(answers[0]).toMatchObject({
    status: 200,
    receivedAt: 7,
    headers: { 'age': '3', 'etag': '"t"', 'content-type': 'application/json' },
  });
  expect(JSON.stringify(answers)).not.toContain('secret');
  const replay = createReplay(answers);
  expect(await replay.http.get('/a', {})).toEqual(first);
  expect(replay.unused().map(({ target }) => target)).toEqual(['/b']);
  await expect(replay.http.get('/c', {})).rejects.toThrow('There is no answer to GET /c.');
});

it('an error knows the read that failed, and a failed answer is kept', async () => {
  const recorder = createRecorder({
    ...parts,
    fetch: (target) =>
      target === '/gone' ? Promise.reject(new Error('cut')) : Promise.resolve(new Response('no', { status: 502 })),
  });
  const errors = await Promise.all(
    ['/bad', '/gone'].map((target) => recorder.http.get(target, {}).catch((error: unknown) => error)),
  );
  expect(errors.map(recorder.targetOf)).toEqual(['/bad', '/gone']);
  expect(recorder.targetOf(new Error('another'))).toBeNull();
  expect(recorder.answers()).toMatchObject([{ target: '/bad', status: 502 }]);
});
