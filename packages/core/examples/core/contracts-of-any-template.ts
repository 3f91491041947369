// Contracts of any template.
import { find } from '@coinlab/core';
import { memberKey, stakeholdersOf, TEMPLATE_NAMES, templateOf, TEMPLATES } from '@coinlab/core/contracts';
import { allOf, contractCount, contractsByKey, countOfTemplate, findAny, firstByKey } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const { state, parties, dso } = createTestLedger();
const { bob } = parties;

const preapproval = firstByKey(state, 'TransferPreapproval', `receiver:${bob}`);
if (!preapproval) throw new Error('every party of a test ledger has a preapproval');
console.log([...contractsByKey(state, 'TransferPreapproval', `receiver:${bob}`)].length);
console.log(findAny(state, preapproval.id) === find(state, 'TransferPreapproval', preapproval.id));
console.log(stakeholdersOf(preapproval, dso).includes(bob), Object.keys(templateOf(preapproval).fields).length);

console.log(countOfTemplate(state, 'TransferPreapproval'), [...allOf(state, 'OpenMiningRound')].length);
console.log(contractCount(state) > 20, TEMPLATE_NAMES.includes('Holding'), 'fields' in TEMPLATES.Holding);
console.log(memberKey({ memberId: 'PAR::validator::1220', synchronizerId: 'global', migrationId: 0 }));

// Prints:
// 1
// true
// true 5
// 10 3
// true true true
// member:0:global PAR::validator::1220
