import {
  allowInsecureRequests,
  ClientSecretBasic,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  None,
  type Configuration,
} from 'openid-client';
import type { Log } from '#server/core/ports.ts';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import { SignInFailure } from '#server/core/sign-in-failure.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../accounts/signature-algorithms.ts';

/** What is known of an OpenID provider. */
export interface Provider {
  /** Rejects with a `SignInFailure` while the provider does not respond and nothing is known of it. */
  readonly configuration: () => Promise<Configuration>;
}

const KNOWN_FOR_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;

export function createProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  { elapsed, log }: { readonly elapsed: () => number; readonly log: Log },
): Provider {
  let known: { readonly configuration: Configuration; readonly at: number } | null = null;
  const url = new URL(issuer);
  // The settings allow plain http to this machine only.
  // oxlint-disable-next-line typescript/no-deprecated -- Marked so that nobody uses it by mistake.
  const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  // Tokens have to be signed, also where they come straight from the provider.
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  // The way of sending it that every provider has to offer.
  const authentication = clientSecret === null ? None() : ClientSecretBasic(clientSecret);

  return {
    configuration: async () => {
      if (known !== null && elapsed() - known.at < KNOWN_FOR_MS) return known.configuration;
      try {
        const configuration = await discovery(url, clientId, metadata, authentication, {
          execute: [enableNonRepudiationChecks, ...insecure],
          timeout: TIMEOUT_SECONDS,
        });
        known = { configuration, at: elapsed() };
        return configuration;
      } catch (error) {
        log('warn', 'provider not reached', { issuer, reason: reasonOf(error) });
        if (known !== null) return known.configuration;
        throw new SignInFailure('provider-away', { cause: error });
      }
    },
  };
}

/** What a fetch failed for is in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
