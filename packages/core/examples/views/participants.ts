// Participants.
import {
  GENERAL_RIGHTS,
  isSameRight,
  ledgerUserKey,
  ledgerUsersKey,
  PARTY_RIGHTS,
  partyAnnotationsKey,
  uploadedDarKey,
  uploadedDarsKey,
  uploadedPackageKey,
} from '@coinlab/core/contracts';
import { generateTopology, topologyKeyOf } from '@coinlab/core/rules';
import { countByKey, firstByKey } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob: operator } = world.parties;
const participant = `PAR::${operator}`;
const [actAs] = PARTY_RIGHTS;
const right = { kind: actAs, party: alice } as const;
world.execute({ type: 'CreateLedgerUser', operator, participant, userId: 'ann', rights: [right] }, operator);
const user = firstByKey(world.state, 'LedgerUser', ledgerUserKey(participant, 'ann'));
console.log(
  user?.rights.some((one) => isSameRight(one, right)),
  GENERAL_RIGHTS[0],
);
console.log(countByKey(world.state, 'LedgerUser', ledgerUsersKey(participant)));

const annotations = { team: 'treasury' };
world.execute({ type: 'AnnotateParty', operator, participant, party: alice, annotations }, operator);
console.log(firstByKey(world.state, 'PartyAnnotations', partyAnnotationsKey(participant, alice))?.annotations);

const [hash, id] = ['ab'.repeat(32), 'cd'.repeat(32)] as const;
world.execute({ type: 'RecordDar', operator, participant, hash, packages: [id] }, operator);
const keys = [uploadedDarKey(participant, hash), uploadedPackageKey(participant, id), uploadedDarsKey(participant)];
console.log(keys.map((key) => countByKey(world.state, 'UploadedDar', key)));

const topology = generateTopology({ hint: 'dave', publicKey: 'ab'.repeat(32), participant });
if (topology.ok) console.log(topologyKeyOf(topology.value.transactions.map(({ transaction }) => transaction))?.length);

// Prints:
// true ParticipantAdmin
// 1
// { team: 'treasury' }
// [ 1, 1, 1 ]
// 64
