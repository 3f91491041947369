import { type LedgerState, find, Amount, type ContractId } from '@coinlab/core';
import { dso } from '../../generator/cast.js';
import { diagramOf } from '../diagram.js';
import { SMALL_WORLD } from '../small-world.js';
import { after, alice, bob, CHEAP, COIN, preapprove, prepared, type Lifecycle } from './lifecycle.js';

export const TRANSFER_LIFECYCLES: readonly Lifecycle[] = [
  {
    name: 'transfer-offer',
    world: () => ({
      ...SMALL_WORLD,
      amounts: [Amount.one],
      options: { ...CHEAP, rules: { dsoExpiresInstructions: true } },
      depth: 3,
    }),
    observe: () => diagramOf('Two-step transfer', ['TransferInstruction'], offerState),
  },
  {
    name: 'locked-coin',
    world: () => ({
      ...SMALL_WORLD,
      amounts: [Amount.one],
      options: { ...CHEAP, rules: { dsoExpiresInstructions: true } },
      depth: 3,
    }),
    observe: () => diagramOf('Locked coin', ['Holding'], ({ lock }) => (lock ? 'Locked' : null)),
  },
  {
    name: 'wallet-offer',
    world: () => ({
      ...COIN,
      commands: [
        'CreateWalletOffer',
        'AcceptWalletOffer',
        'RejectWalletOffer',
        'WithdrawWalletOffer',
        'CompleteWalletOffer',
        'AbortWalletOffer',
        'WithdrawAcceptedWalletOffer',
        'ExpireWalletOffer',
      ],
      choices: { sender: [alice], receiver: [bob], unit: ['coin'], trackingId: ['t1'] },
      depth: 3,
    }),
    observe: () =>
      diagramOf('Wallet offer', ['TransferOffer', 'AcceptedTransferOffer'], ({ template }) =>
        template === 'TransferOffer' ? 'Offered' : 'Accepted',
      ),
  },
  {
    name: 'transfer-command',
    world: () => ({
      ...COIN,
      commands: ['CreateTransferCommand', 'SendTransferCommand', 'WithdrawTransferCommand', 'ExpireTransferCommand'],
      choices: { sender: [alice], receiver: [bob], delegate: [bob], nonce: [0] },
      start: prepared((test) => {
        test.execute({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
        preapprove(test, bob);
      }),
      depth: 2,
    }),
    observe: () => diagramOf('Transfer command', ['TransferCommand'], () => 'Created'),
  },
  {
    name: 'preapproval',
    world: () => ({
      ...COIN,
      commands: [
        'ProposePreapproval',
        'WithdrawPreapprovalProposal',
        'AcceptPreapprovalProposal',
        'CreatePreapproval',
        'RenewPreapproval',
        'CancelPreapproval',
        'ExpirePreapproval',
      ],
      choices: { receiver: [bob], provider: [alice], newExpiresAt: [after(2)], inputs: [[]] },
      most: { TransferPreapproval: 1, TransferPreapprovalProposal: 1 },
      depth: 4,
    }),
    observe: () =>
      diagramOf('Preapproval', ['TransferPreapprovalProposal', 'TransferPreapproval'], ({ template }) =>
        template === 'TransferPreapproval' ? 'Active' : 'Proposed',
      ),
  },
  {
    name: 'external-party-setup',
    world: () => ({
      ...COIN,
      commands: [
        'CreateExternalPartySetupProposal',
        'AcceptExternalPartySetupProposal',
        'RejectExternalPartySetupProposal',
        'WithdrawExternalPartySetupProposal',
      ],
      choices: { validator: [alice], user: [bob] },
      depth: 2,
    }),
    observe: () => diagramOf('Setup of an external party', ['ExternalPartySetupProposal'], () => 'Proposed'),
  },
  {
    name: 'traffic-request',
    world: () => ({
      ...COIN,
      commands: ['CreateTrafficRequest', 'CompleteTrafficRequest', 'CancelTrafficRequest', 'ExpireTrafficRequest'],
      choices: { memberId: ['PAR::one::1220'], trafficBytes: [200_000], trackingId: ['t1'] },
      depth: 2,
    }),
    observe: () => diagramOf('Request to buy traffic', ['BuyTrafficRequest'], () => 'Created'),
  },
];

function offerState({ lockedHolding }: { readonly lockedHolding: ContractId }, state: LedgerState): string {
  return find(state, 'Holding', lockedHolding) ? 'Pending' : 'Pending without coin';
}
