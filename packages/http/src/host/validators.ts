import { PartyId } from '@coinlab/core';
import { BadSettings, type ServerConfig } from '../config.js';
import type { ValidatorIdentity } from './hosted-parties.js';

export interface Validator extends ValidatorIdentity {
  readonly name: string;
  readonly walletUsers: readonly string[];
  readonly isSuperValidator: boolean;
}

const ONLY: Omit<Validator, 'peers'> = {
  name: 'validator',
  validator: PartyId.of('validator'),
  participantId: `PAR::${PartyId.of('participant')}`,
  walletUsers: [],
  isSuperValidator: false,
};

export function validatorsOf({ validators }: Pick<ServerConfig, 'validators'>): readonly [Validator, ...Validator[]] {
  const [first = ONLY, ...others] = validators.map(ownPart);
  const peers = [first, ...others].map(({ validator, participantId }) => ({ validator, participantId }));
  return [{ ...first, peers }, ...others.map((other) => ({ ...other, peers }))];
}

/** The operator's party is in the namespace of the participant, like every party that the participant allocates. */
function ownPart(given: ServerConfig['validators'][number]): Omit<Validator, 'peers'> {
  const { name, partyHint = name, walletUsers, isSuperValidator } = given;
  const namespace = namespaceOf(PartyId.of(`participant-${name}`));
  const party = PartyId.parse(`${partyHint}::${namespace}`);
  if (!party.ok) throw new BadSettings([`validators: partyHint ${partyHint}: expected ${party.error.expected}`]);
  return {
    name,
    validator: party.value,
    participantId: `PAR::participant::${namespace}`,
    walletUsers,
    isSuperValidator,
  };
}

export function namespaceOf(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}
