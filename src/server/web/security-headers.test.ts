import { describe, expect, it } from 'vitest';
import { securityHeaders } from './send-response.ts';

const directives = new Map(
  securityHeaders['content-security-policy'].split('; ').map((directive) => {
    const [name = '', ...sources] = directive.split(' ');
    return [name, sources] as const;
  }),
);

describe('the content security policy', () => {
  it('allows nothing that it does not name', () => {
    expect(directives.get('default-src')).toEqual(["'none'"]);
  });

  it('allows only our own origin', () => {
    for (const sources of directives.values()) expect([["'self'"], ["'none'"]]).toContainEqual(sources);
  });

  it.each(['base-uri', 'form-action', 'frame-ancestors'])('closes %s, which default-src does not reach', (name) => {
    expect(directives.get(name)).toEqual(["'none'"]);
  });
});

describe('the other headers', () => {
  it('disable type sniffing and referrers, and isolate other origins', () => {
    expect(securityHeaders).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('disable device features, also for our own pages', () => {
    for (const feature of securityHeaders['permissions-policy'].split(', ')) expect(feature).toMatch(/^[a-z-]+=\(\)$/);
  });
});
