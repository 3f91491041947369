// Votes.
import { dsoInfoOf, voteRequestOf, voteStandingOf } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
const founder = { name: 'SV', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [{ ...founder, party: alice }] }, world.dso);
console.log(dsoInfoOf(world.state)?.votesRequired);

const reason = { url: '', body: 'a useful app' };
const action = { type: 'GrantFeaturedAppRight', provider: bob } as const;
const { detail } = world.execute({ type: 'RequestVote', requester: alice, action, reason }, alice);
const request = voteRequestOf(world.state, detail.trackingCid);
const standing = voteStandingOf(world.state, detail.trackingCid, world.now);
console.log(request?.votes.length, standing?.tally.yes, standing?.tally.required, standing?.ruling);

// Prints:
// 1
// 1 1 1 accepted
