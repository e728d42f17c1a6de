import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { Payer, Reader } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { createDirectoryReader, readDirectory } from '../products/product-directory.ts';
import { toPerpetuals } from './open-funding-book.ts';

/** The base symbols of all perpetuals, null where they cannot be read; whoever asks pays. */
export function createPerpetualSymbols(
  profile: VenueProfile,
  reader: Reader,
): (payer: Payer) => Promise<ReadonlySet<string> | null> {
  return async (payer) => {
    try {
      const read = createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), {
        purpose: 'interactive',
        payers: [payer],
      });
      const { directory } = await readDirectory({ read }, new AbortController().signal);
      return new Set(toPerpetuals(directory).map(({ baseSymbol }) => baseSymbol));
    } catch (error) {
      if (error instanceof VenueFailure) return null;
      throw error;
    }
  };
}
