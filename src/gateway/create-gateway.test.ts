import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { createGateway } from './create-gateway.ts';
import { createRealPorts } from './real-ports.ts';

test('a folder that cannot be made is told by its path and its variable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-no-folder-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const dataDir = join(folder, 'a file');
  writeFileSync(dataDir, '');
  const sandbox = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
  const config = { profile: { ...sandbox, baseUrl: 'http://127.0.0.1:1' }, credential: null, budget: null, dataDir };
  expect(() => createGateway(config, createRealPorts('error'))).toThrow(`${dataDir} is in use by another desk, or cannot be written: set DESK_DATA_DIR to another folder.`);
});
