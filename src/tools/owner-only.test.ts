import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '#cli/commands.mjs';
import { root } from './paths.mjs';

/** This must come before anything is loaded that could write a file. */
test.each(Object.values(commands).map(({ program }) => program))(
  '%s begins by keeping what it writes from other users',
  (program) => {
    const [first] = /^import .*$/m.exec(readFileSync(join(root, program), 'utf8')) ?? [];
    expect(first).toBe("import '#files/owner-only.ts';");
  },
);
