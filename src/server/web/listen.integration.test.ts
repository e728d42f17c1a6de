import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from './server.ts';

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-socket-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return join(folder, 'desk.sock');
}

function createDesk(socket: string, groupId: number | null = null) {
  const desk = createHttpServer({
    socket,
    groupId,
    report: () => undefined,
    handle: (_, response) => {
      response.end('done');
      return Promise.resolve();
    },
  });
  onTestFinished(desk.close);
  return desk;
}

function statusAt(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, headers: { host: 'localhost' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

/** Leaves a socket file behind, like a killed process. */
function leaveStale(path: string): void {
  spawnSync(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
}

describe('a Unix socket', () => {
  it('may be shared with a group', async () => {
    const path = newPath();
    const groupId = process.getgroups?.().at(-1) ?? 0;
    await createDesk(path, groupId).listen();
    const { mode, gid } = statSync(path);
    expect([mode & 0o777, gid, await statusAt(path)]).toEqual([0o660, groupId, 200]);
  });

  it('that cannot be shared with its group is closed again', async () => {
    const path = newPath();
    await expect(createDesk(path, 2 ** 33).listen()).rejects.toThrow('gid');
    expect(existsSync(path)).toBe(false);
  });

  it('is served, to its owner only, and removed at the end', async () => {
    const path = newPath();
    const desk = createDesk(path);
    expect(await desk.listen()).toBe(`unix:${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const other = `${path}.other`;
    writeFileSync(other, '', { mode: 0o644 });
    expect(statSync(other).mode & 0o777).toBe(0o644);
    expect(await statusAt(path)).toBe(200);
    await desk.close();
    expect(existsSync(path)).toBe(false);
  });

  it('that a dead process left is replaced', async () => {
    const path = newPath();
    leaveStale(path);
    expect(existsSync(path)).toBe(true);
    await createDesk(path).listen();
    expect([statSync(path).mode & 0o777, await statusAt(path)]).toEqual([0o600, 200]);
  });

  it('in use is left to its user', async () => {
    const path = newPath();
    await createDesk(path).listen();
    await expect(createDesk(path).listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await statusAt(path)).toBe(200);
  });

  it('never takes the place of another file', async () => {
    const path = newPath();
    writeFileSync(path, 'my notes');
    await expect(createDesk(path).listen()).rejects.toMatchObject({ code: 'ENOTSOCK' });
    expect(readFileSync(path, 'utf8')).toBe('my notes');
  });
});
