// Votes.
import { Duration, GENESIS_TIME, Instant } from '@coinlab/core';
import { DSO_CONFIG, requiredVotes, rulingOn } from '@coinlab/core/rules';

console.log([1, 4, 7, 10].map(requiredVotes));

const { voteRequestLifetime } = DSO_CONFIG;
console.log(voteRequestLifetime === Duration.days(7));
const voteBefore = Instant.plus(GENESIS_TIME, voteRequestLifetime);
const request = { voteBefore, targetEffectiveAt: null };
const required = requiredVotes(4);
console.log(rulingOn(request, { yes: 2, no: 0, required }, GENESIS_TIME));
console.log(rulingOn(request, { yes: 3, no: 0, required }, GENESIS_TIME));
console.log(rulingOn(request, { yes: 2, no: 1, required }, voteBefore));

// Prints:
// [ 1, 3, 5, 7 ]
// true
// open
// accepted
// expired
