import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { get, post, send, type Call } from '../api/call.js';
import type { LicenseList, RoundsFound, RulesFound } from '../api/shapes.js';
import { useResource, type Resource } from './resource.js';

export function useRules(): Resource<RulesFound> {
  return useResource<RulesFound>(() => post('v0/amulet-rules', {}), {
    follows: () => [{ templates: ['AmuletRules'] }],
  });
}

const ROUNDS: Call = post('v0/open-and-issuing-mining-rounds', {
  cached_open_mining_round_contract_ids: [],
  cached_issuing_round_contract_ids: [],
});

export function useRounds(): Resource<RoundsFound> {
  return useResource<RoundsFound>(() => ROUNDS, {
    follows: () => [{ templates: ['OpenMiningRound', 'IssuingMiningRound'] }],
  });
}

export function useLicenses(): Resource<LicenseList> {
  return useResource<LicenseList>(() => get('v0/admin/validator/licenses'), {
    follows: () => [{ templates: ['ValidatorLicense'] }],
  });
}

export function openRoundsIn(
  found: RoundsFound,
): readonly { readonly round: number; readonly price: string; readonly opensAt: string; readonly closesAt: string }[] {
  return Object.values(found.open_mining_rounds)
    .map(({ contract: { payload } }) => ({
      round: Number(payload.round.number),
      price: payload.amuletPrice,
      opensAt: payload.opensAt,
      closesAt: payload.targetClosesAt,
    }))
    .sort((a, b) => a.round - b.round);
}

const operatorFound = signal<{ readonly party_id: string; readonly user_name: string } | null>(null);

export const operator: ReadonlySignal<string | null> = computed(() => operatorFound.value?.party_id ?? null);

export async function readOperator(): Promise<void> {
  const answer = await send<{ readonly party_id: string; readonly user_name: string }>(get('v0/validator-user'), null);
  if (answer.ok) operatorFound.value = answer.body;
}
