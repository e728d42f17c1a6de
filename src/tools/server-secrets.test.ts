import { expect, it } from 'vitest';
import { SECRET_NAMES } from '#contract/desk/settings.ts';
import { serverSecrets, withoutSecrets } from '#cli/secrets.mjs';

it('passes each secret of the settings to the gateway, and to no program that does not use it', () => {
  const environment = Object.fromEntries([...SECRET_NAMES, 'DESK_PORT'].map((name) => [name, 'x']));
  expect(withoutSecrets(environment)).toEqual({ DESK_PORT: 'x' });
  expect(withoutSecrets(environment, serverSecrets)).toEqual(environment);
});
