// Change a state without a log.
import { Amount, ContractId } from '@coinlab/core';
import { findAny, forkState } from '@coinlab/core/views';
import { archive, create, Effects } from '@coinlab/core/workflows';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { state } = world;
const [coin] = world.holdingsOf(world.parties.alice);
if (!coin) throw new Error('every party of a test ledger has a coin');
const { id, template, ...fields } = coin;

const effects = new Effects(state);
effects.archive(coin);
const half = effects.create('Holding', { ...fields, amount: Amount.of('5000') });
effects.burn(Amount.of('5000'));
console.log(effects.find('Holding', id), findAny(state, half.id), Amount.short(effects.burned));

const fork = forkState(state);
archive(fork, id, () => 'example');
create(fork, { ...fields, template, id: ContractId.of(state.nextContract) }, () => 'example');
console.log(findAny(fork, id), findAny(state, id) !== null);

// Prints:
// null null 5000.0
// null true
