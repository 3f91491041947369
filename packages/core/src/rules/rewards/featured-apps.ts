import type { Effects } from '../../contracts/effects.js';
import type { FeaturedAppActivityMarker, FeaturedAppRight } from '../../contracts/rewards.js';
import { allOf, type LedgerState } from '../../contracts/state.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import { featuredRightOf } from '../transfer/preapproval.js';
import { notFound } from '../refusals.js';

/** One right per provider. Source: specification §3.7. Assumption: A-55. */
export function grantFeaturedAppRight(
  provider: PartyId,
  state: LedgerState,
  effects: Effects,
): Result<FeaturedAppRight, Rejected<'ALREADY_EXISTS'>> {
  const existing = featuredRightOf(state, provider);
  if (existing)
    return err({ code: 'ALREADY_EXISTS', what: `a FeaturedAppRight of ${provider}`, contract: existing.id });
  return ok(effects.create('FeaturedAppRight', { provider }));
}

export function requireFeaturedAppRight(
  effects: Effects,
  id: ContractId,
): Result<FeaturedAppRight, Rejected<'CONTRACT_NOT_FOUND'>> {
  const right = effects.find('FeaturedAppRight', id);
  return right ? ok(right) : err(notFound(id, 'FeaturedAppRight'));
}

/** Returns the oldest activity markers, at most `most`, to convert in one command. Source: specification §6.6, §8.10. */
export function convertibleMarkers(state: LedgerState, most: number = 100): readonly FeaturedAppActivityMarker[] {
  const markers: FeaturedAppActivityMarker[] = [];
  for (const marker of allOf(state, 'FeaturedAppActivityMarker')) {
    if (markers.length >= most) break;
    markers.push(marker);
  }
  return markers;
}
