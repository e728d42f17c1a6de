import { expect, it } from 'vitest';
import { describeCaller } from './describe-caller.ts';

it('the name of who became a user is one line of plain characters, whatever the environment says', () => {
  const text = describeCaller({ SUDO_USER: '\u202eann\n\u001b[2Jroot' });
  expect(text).toMatch(/^ann \[2Jroot as /);
  expect(describeCaller({ SUDO_USER: '\n' })).toBe(describeCaller({}));
});
