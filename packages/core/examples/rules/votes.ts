// Votes.
import { Duration, GENESIS_TIME, Instant } from '@coinlab/core';
import { DSO_CONFIG, dsoRulesOf, requiredVotes, rulingOn, tallyOf } from '@coinlab/core/rules';
import { applyAction, Effects } from '@coinlab/core/workflows';
import { createTestLedger } from '@coinlab/testing';

console.log([1, 4, 7, 10].map(requiredVotes));

const { voteRequestLifetime } = DSO_CONFIG;
console.log(voteRequestLifetime === Duration.days(7));
const voteBefore = Instant.plus(GENESIS_TIME, voteRequestLifetime);
const request = { voteBefore, targetEffectiveAt: null };
const required = requiredVotes(4);
console.log(rulingOn(request, { yes: 2, no: 0, required }, GENESIS_TIME));
console.log(rulingOn(request, { yes: 3, no: 0, required }, GENESIS_TIME));
console.log(rulingOn(request, { yes: 2, no: 1, required }, voteBefore));

const world = createTestLedger();
const founder = { party: world.parties.carol, name: 'SV 1', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [founder] }, world.dso);
const rules = dsoRulesOf(world.state);
const reason = { url: '', body: '' };
const vote = { sv: founder.party, name: 'SV 1', accept: true, reason, castAt: world.now };
console.log(rules && tallyOf([vote], rules));
// Whether an action would be refused; the effects are dropped.
const action = { type: 'OffboardSv', party: world.parties.bob } as const;
console.log(applyAction(action, world.state, new Effects(world.state), world.now)?.code);

// Prints:
// [ 1, 3, 5, 7 ]
// true
// open
// accepted
// expired
// { yes: 1, no: 0, required: 1, offboardedVoters: [], abstainingSvs: [] }
// GROUP_MISMATCH
