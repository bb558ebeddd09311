// The chain of all tickets: each link is a hash of the link before and of the ticket's record.
import { ascii, be, concat } from './bytes';
import { sha256 } from './numbers';

export interface Published {
  activity: bigint;
  round: number;
  version: number;
  commitment: Uint8Array;
  strategyHash: Uint8Array;
}

/** The link before the first ticket: it follows from what was published. */
export function firstLink(published: Published): Promise<Uint8Array> {
  return sha256(
    concat(
      ascii('WC\x00'),
      be(published.activity, 8),
      be(published.round, 4),
      be(published.version, 4),
      published.commitment,
      published.strategyHash,
    ),
  );
}

export function nextLink(
  before: Uint8Array,
  place: bigint | number,
  record: Uint8Array,
): Promise<Uint8Array> {
  return sha256(concat(ascii('WC\x01'), before, be(place, 8), record));
}
