import { VenueFailure } from '../ports.ts';

/** The venue failed, it did not refuse: another try may be answered. */
export class PassingFailure extends VenueFailure {}
